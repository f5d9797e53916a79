import type { SESv2Client } from '@aws-sdk/client-sesv2'
import type { Handover } from '../mailer.ts'
import { type Gate, type SmtpMessage, sizeOf } from '../smtp/message.ts'
import type { TransportProblem } from '../transport-problem.ts'
import { openClient, type SesConfig, type SesError, sdk, textOf } from './client.ts'

/** The names of the tags by which SES reports which email a notification is about. */
export const sesTags = { project: 'postwire-project', email: 'postwire-email' } as const

/** Header fields that SES writes itself, so that a signature that includes them would be broken. */
export const sesReplaces: readonly string[] = ['date', 'message-id']

/** Amazon SES, used over its API (version 2). It never throws for an answer of SES: that is a Handover. */
export interface SesTransport {
  /** Sends a message with tags. Null when it did not leave: the gate was closed, or this process is ending. */
  send(message: SmtpMessage & { tags: Record<string, string> }, gate?: Gate): Promise<Handover | null>
  /** Whether SES accepts our key and lets the account send; null when it does, or does not let us ask. */
  check(): Promise<TransportProblem | null>
  close(): Promise<void>
}

const closeMs = 3_000

/** A connection to SES by the SES_… settings; `closing` is aborted when this process begins to end: answers are awaited for 3 s then. */
export function createSesTransport(config: SesConfig, closing: AbortSignal): SesTransport {
  let opening: Promise<SESv2Client> | undefined
  const client = (): Promise<SESv2Client> => {
    // A second attempt after a lost answer could send an email twice: the queue decides.
    opening ??= openClient(config, 1)
    return opening
  }
  const ended = new AbortController()
  closing.addEventListener('abort', () => void setTimeout(() => ended.abort(), closeMs).unref(), { once: true })
  return {
    async send({ from, to, pieces, tags }, gate = alwaysOpen) {
      const [ses, { SendEmailCommand }] = await Promise.all([client(), sdk()])
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: to },
        Content: { Raw: { Data: Buffer.concat(pieces, sizeOf(pieces)) } },
        EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
        ConfigurationSetName: config.SES_CONFIGURATION_SET,
      })
      if (closing.aborted || !(await gate.opens()) || !gate.holds()) return null
      try {
        const { MessageId } = await ses.send(command, { abortSignal: ended.signal })
        return { kind: 'accepted', response: `Accepted by Amazon SES as ${MessageId}` }
      } catch (error) {
        return ofError(error as SesError)
      }
    },
    async check() {
      try {
        const [ses, { GetAccountCommand }] = await Promise.all([client(), sdk()])
        const { SendingEnabled } = await ses.send(new GetAccountCommand({}), { abortSignal: closing })
        return SendingEnabled === false ? problemOf('Sending is paused for this account', 'account') : null
      } catch (error) {
        const handover = ofError(error as SesError)
        const isUnasked = closing.aborted || (error as SesError).name === 'AccessDeniedException'
        return (!isUnasked && handover.kind === 'deferred' && handover.problem) || null
      }
    },
    async close() {
      if (opening) (await opening).destroy()
    },
  }
}

const alwaysOpen: Gate = { opens: async () => true, holds: () => true }

type Advice = 'account' | 'key' | 'configuration' | 'network'

interface Row {
  names?: RegExp
  codes?: RegExp
  status?: RegExp
  means: 'refused' | 'deferred' | 'uncertain' | { problem: Advice }
}

// What an error means for an email, by the first row that fits. SES says nothing about a recipient here: bounces come later.
const rows: Row[] = [
  { names: /^(TooManyRequests|Throttling|ThrottledException|RequestThrottled|LimitExceeded|ConcurrentModification)/, means: 'deferred' },
  { names: /^(AccountSuspended|SendingPaused)/, means: { problem: 'account' } },
  { names: /^NotFoundException$/, means: { problem: 'configuration' } },
  { names: /^(MessageRejected|MailFromDomainNotVerified|BadRequest|Validation)/, means: 'refused' },
  {
    names:
      /^(CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|ExpiredToken|IncompleteSignature|MissingAuthenticationToken|AccessDenied)/,
    means: { problem: 'key' },
  },
  { status: /^(401|403)$/, means: { problem: 'key' } },
  { status: /^(408|429|5\d\d)$/, means: 'deferred' },
  { status: /^4\d\d$/, means: 'refused' },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/,
    means: { problem: 'network' },
  },
  // The connection was lost, or there was no answer in time: SES may have accepted it.
  { means: 'uncertain' },
]

function ofError(error: SesError): Handover {
  const status = String(error.$metadata?.httpStatusCode ?? '')
  const fits = (pattern: RegExp | undefined, text: string): boolean => !pattern || pattern.test(text)
  const means = rows.find((row) => fits(row.names, error.name) && fits(row.status, status) && fits(row.codes, error.code ?? ''))?.means
  const text = textOf(error)
  if (means === 'refused') {
    const answer = { phase: 'content' as const, code: Number(status), enhanced: null, text }
    return { kind: 'refused', response: `Amazon SES refused it: ${text}`, recipient: false, answer }
  }
  if (means === 'deferred') return { kind: 'deferred', response: `Amazon SES: ${text}` }
  if (typeof means === 'object')
    return { kind: 'deferred', response: `Amazon SES could not be used: ${text}`, problem: problemOf(text, means.problem) }
  return { kind: 'deferred', response: `The connection to Amazon SES was lost before it confirmed the message: ${text}`, uncertain: true }
}

const advice: Record<Advice, string> = {
  account: 'See the account dashboard of Amazon SES, and ask Amazon to let the account send.',
  key: 'Check SES_ACCESS_KEY_ID, SES_SECRET_ACCESS_KEY and SES_REGION, and that the key or role may call ses:SendEmail.',
  configuration: 'Check that SES_CONFIGURATION_SET exists in SES_REGION.',
  network: 'Check SES_REGION, the name servers of this machine, and whether a firewall lets it reach Amazon.',
}

function problemOf(reason: string, about: Advice): TransportProblem {
  return { reason, advice: advice[about] }
}
