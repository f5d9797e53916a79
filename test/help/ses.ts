import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** An email that the stand-in for SES has accepted. */
export interface SesAccepted {
  from: string
  to: string[]
  raw: string
  tags: Record<string, string>
  configurationSet: string | undefined
}

/** How the stand-in answers from now on: with an error of SES, by losing its answer, or not at all. */
export type SesTrouble =
  | { status: number; code: string; message?: string }
  | 'loses answers'
  | 'cuts answers'
  | 'hangs in answers'
  | 'silent'
  | null

/** A domain that is registered with the stand-in, and the DKIM key that it looks for in DNS. */
export interface SesIdentity {
  selector: string
  privateKey: string
  verified: boolean
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  /** Its custom MAIL FROM domain. */
  mailFrom?: { domain: string; status: 'PENDING' | 'SUCCESS' | 'FAILED' }
}

/** A local server that speaks the API of Amazon SES (version 2): SendEmail, GetAccount, and the identities of domains. */
export interface SesTwin {
  /** The settings of an installation that sends with it. */
  env: Record<string, string>
  accepted: SesAccepted[]
  /** How many calls it was asked. */
  calls: number
  trouble: SesTrouble
  /** How many emails it takes in a second; it throttles the others. */
  maxPerSecond: number
  sendingEnabled: boolean
  identities: Map<string, SesIdentity>
}

/** Starts a stand-in for SES, closed after the file's tests. */
export async function sesTwin(): Promise<SesTwin> {
  const twin: SesTwin = {
    env: {},
    accepted: [],
    calls: 0,
    trouble: null,
    maxPerSecond: Number.POSITIVE_INFINITY,
    sendingEnabled: true,
    identities: new Map(),
  }
  const taken = perSecond()
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { trouble } = twin
      twin.calls++
      if (createHash('sha256').update(body).digest('hex') !== request.headers['x-amz-content-sha256'])
        return reply(response, 400, { message: 'No.' }, 'XAmzContentSHA256Mismatch')
      if (trouble === 'silent') return
      if (typeof trouble === 'object' && trouble)
        return reply(response, trouble.status, { message: trouble.message ?? 'No.' }, trouble.code)
      if (!request.headers.authorization?.includes('Credential=AKIASES/'))
        return reply(response, 403, { message: 'No.' }, 'UnrecognizedClientException')
      const call = `${request.method} ${request.url}`
      if (call === 'GET /v2/email/account') return reply(response, 200, { SendingEnabled: twin.sendingEnabled })
      if (request.url?.includes('/email/identities')) return reply(response, ...identity(twin, call, body.toString()))
      if (call !== 'POST /v2/email/outbound-emails') return reply(response, 404, { message: call }, 'NotFoundException')
      if (taken(performance.now()) > twin.maxPerSecond) return reply(response, 429, { message: 'No.' }, 'TooManyRequestsException')
      twin.accepted.push(acceptedOf(JSON.parse(body.toString())))
      if (trouble === 'loses answers') return response.destroy()
      if (trouble === 'cuts answers' || trouble === 'hangs in answers') return half(response, trouble === 'cuts answers')
      reply(response, 200, { MessageId: `ses-${twin.accepted.length}` })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  twin.env = {
    EMAIL_TRANSPORT: 'ses',
    SES_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SES_REGION: 'eu-central-1',
    SES_ACCESS_KEY_ID: 'AKIASES',
    SES_SECRET_ACCESS_KEY: 'the secret of ses',
    SES_CONFIGURATION_SET: 'postwire',
  }
  return twin
}

// How many there were in the second of this one.
function perSecond(): (at: number) => number {
  let [second, count] = [0, 0]
  return (at) => {
    const now = Math.floor(at / 1_000)
    count = now === second ? count + 1 : 1
    second = now
    return count
  }
}

interface IdentityBody {
  MailFromDomain?: string
  BehaviorOnMxFailure?: string
  EmailIdentity?: string
  DkimSigningAttributes?: { DomainSigningSelector: string; DomainSigningPrivateKey: string }
  SigningAttributes?: { DomainSigningSelector: string; DomainSigningPrivateKey: string }
}

// As SES does it: a domain is looked for with the key it was registered with last.
function identity({ identities }: SesTwin, call: string, body: string): [status: number, body: object, code?: string] {
  const sent = (body === '' ? {} : JSON.parse(body)) as IdentityBody
  const { EmailIdentity, DkimSigningAttributes, SigningAttributes, MailFromDomain } = sent
  const name = EmailIdentity ?? /\/identities\/([^/]+)/.exec(call)?.[1] ?? ''
  const existing = identities.get(name)
  const key = DkimSigningAttributes ?? SigningAttributes
  if (call.startsWith('POST') && existing) return [400, { message: 'It exists.' }, 'AlreadyExistsException']
  if (!call.startsWith('POST') && !existing) return [404, { message: 'It does not exist.' }, 'NotFoundException']
  if (key)
    identities.set(name, {
      selector: key.DomainSigningSelector,
      privateKey: key.DomainSigningPrivateKey,
      verified: false,
      status: 'PENDING',
    })
  const known = identities.get(name)
  if (MailFromDomain !== undefined && known && sent.BehaviorOnMxFailure === 'USE_DEFAULT_VALUE' && call.endsWith('/mail-from'))
    known.mailFrom = { domain: MailFromDomain, status: 'PENDING' }
  const { selector, verified, status, mailFrom } = known ?? { selector: '', verified: false, status: 'PENDING', mailFrom: undefined }
  const MailFromAttributes = { MailFromDomain: mailFrom?.domain, MailFromDomainStatus: mailFrom?.status }
  const DkimAttributes = { Tokens: [selector], Status: status, SigningAttributesOrigin: 'EXTERNAL' }
  return [200, { VerifiedForSendingStatus: verified, DkimAttributes, MailFromAttributes }]
}

interface SendEmailBody {
  FromEmailAddress: string
  Destination: { ToAddresses: string[] }
  Content: { Raw: { Data: string } }
  EmailTags?: { Name: string; Value: string }[]
  ConfigurationSetName?: string
}

function acceptedOf({ FromEmailAddress, Destination, Content, EmailTags = [], ConfigurationSetName }: SendEmailBody): SesAccepted {
  return {
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    raw: Buffer.from(Content.Raw.Data, 'base64').toString('latin1'),
    tags: Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])),
    configurationSet: ConfigurationSetName,
  }
}

// The status, and half of a body.
function half(response: ServerResponse, isCut: boolean): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"MessageId":', () => isCut && response.destroy())
}

function reply(response: ServerResponse, status: number, body: object, code?: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': 'req-1', ...(code && { 'x-amzn-errortype': code }) })
    .end(JSON.stringify(body))
}
