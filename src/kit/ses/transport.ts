import type { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import type { Handover } from '../mailer.ts'
import { type Gate, type SmtpMessage, sizeOf } from '../smtp/message.ts'
import { createPool, type Lease, type Poolable, type TakePlan } from '../smtp/pool/pool.ts'
import type { Priority, User } from '../smtp/pool/shares.ts'
import type { TransportProblem } from '../transport-problem.ts'
import { fillIn, placeholder } from './body.ts'
import { openClient, type SesConfig, type SesError, sdk, textOf } from './client.ts'

/** The names of the tags by which SES reports which email a notification is about. */
export const sesTags = { project: 'postwire-project', email: 'postwire-email' } as const

/** Header fields that SES writes itself, so that a signature that includes them would be broken. */
export const sesReplaces: readonly string[] = ['date', 'message-id']

/** A message with the tags by which SES names it. */
export type SesMessage = SmtpMessage & { tags: Record<string, string> }

/** Amazon SES, used over its API (version 2). It never throws for an answer of SES: that is a Handover. */
export interface SesTransport {
  /** Waits for a place among the calls that are under way, in turn with other owners. Fails as the pool of a mail server does. */
  connect(priority: Priority, plan?: TakePlan): Promise<SesConnection>
  /** How many messages of an owner whose messages take long can be under way at the same time; Infinity for another owner. */
  maxUnderWay(user: User): number
  /** Whether SES accepts our key and lets the account send; null when it does, or does not let us ask. */
  check(): Promise<TransportProblem | null>
  close(): Promise<void>
}

/** A place for one caller, who releases it when done. */
export interface SesConnection {
  /** Sends a message. Null when it did not leave: the gate was closed, its place is needed for others, or this process is ending. */
  send(message: SesMessage, gate?: Gate): Promise<Handover | null>
  renew(): Promise<void>
  release(): void
}

/** SES sends a message to at most so many addresses. */
export const maxSesRecipients = 50

const closeMs = 3_000
// Of messages that SES takes quickly; twice as many more of those that take longer than a second.
const maxCalls = 30
const limits = { slowMs: 1_000, patienceMs: 30_000, idleMs: 1_000 }
// Every place has a socket, so that no message waits for one after what decides on it was read; and what was read less than 0.2 s before has
// left, or has failed, a second later. A second attempt after a lost answer could send an email twice: the queue decides.
const plan = { maxAttempts: 1, maxSockets: 4 * maxCalls, connectMs: 1_000, answerMs: 0 }
const maxAgeMs = 200
// For all of a call: one that never ends would keep its place. A large message over a slow connection has longer.
const answerMs = 30_000
const slowestBytesPerMs = 64
const checkMs = 10_000

/** A connection to SES by the SES_… settings; `closing` is aborted when this process begins to end: answers are awaited for 3 s then. */
export function createSesTransport(config: SesConfig, closing: AbortSignal): SesTransport {
  let opening: Promise<SESv2Client> | undefined
  const client = (): Promise<SESv2Client> => {
    opening ??= openClient(config, plan)
    return opening
  }
  const ended = new AbortController()
  closing.addEventListener('abort', () => void setTimeout(() => ended.abort(), closeMs).unref(), { once: true })
  const pool = createPool<Poolable>(maxCalls, limits, () => place)
  const send = senderBy({ config, client, closing, ended: ended.signal })
  return {
    async connect(priority, take) {
      const lease = await pool.take(priority, take)
      const unconnected: Unconnected = { times: 0 }
      return { send: (message, gate = alwaysOpen) => send(lease, unconnected, message, gate), renew: lease.renew, release: lease.release }
    },
    maxUnderWay: pool.maxUnderWay,
    async check() {
      try {
        const [ses, { GetAccountCommand }] = await Promise.all([client(), sdk()])
        const signal = AbortSignal.any([closing, AbortSignal.timeout(checkMs)])
        const { SendingEnabled } = await until(signal, ses.send(new GetAccountCommand({}), { abortSignal: signal }))
        return SendingEnabled === false ? problemOf('Sending is paused for this account', 'account') : null
      } catch (error) {
        const handover = ofError(error as SesError, { whole: false })
        const isUnasked = closing.aborted || (error as SesError).name === 'AccessDeniedException'
        return (!isUnasked && handover.kind === 'deferred' && handover.problem) || null
      }
    },
    async close() {
      pool.close()
      if (opening) (await opening).destroy()
    },
  }
}

interface Sender {
  config: SesConfig
  client: () => Promise<SESv2Client>
  /** Nothing leaves any more, and no answer is awaited any more. */
  closing: AbortSignal
  ended: AbortSignal
}

type Send = (lease: Lease<Poolable>, unconnected: Unconnected, message: SesMessage, gate: Gate) => Promise<Handover | null>

function senderBy({ config, client, closing, ended }: Sender): Send {
  return async (lease, unconnected, message, gate) => {
    const call: Call = { left: false, whole: false, withdrawn: false, status: 0 }
    const withdraw = (): boolean => {
      call.withdrawn ||= !call.left
      return call.withdrawn
    }
    const end = lease.begin({ withdraw, giveUp: () => void withdraw() })
    if (!end) return null
    const mayLeave = async (): Promise<boolean> => {
      const isOpen = !closing.aborted && (await gate.opens(maxAgeMs)) && gate.holds()
      call.left = isOpen && !call.withdrawn && !closing.aborted
      return call.left
    }
    try {
      const command = await commandOf(config, message, { call, mayLeave })
      const signal = AbortSignal.any([ended, AbortSignal.timeout(answerMs + Math.ceil(sizeOf(message.pieces) / slowestBytesPerMs))])
      return acceptedAs(await until(signal, (await client()).send(command, { abortSignal: signal })))
    } catch (error) {
      withdraw()
      // What is read after that says which name SES has given it.
      if (call.status >= 200 && call.status < 300) return acceptedAs({})
      const isEarly = isUnconnected(error as SesError) && unconnected.times++ < maxUnconnected
      return error instanceof Withheld || isEarly ? null : ofError(error as SesError, call)
    } finally {
      end()
    }
  }
}

/** How often in a row a connection was not made in time. */
interface Unconnected {
  times: number
}

// A packet that is lost when a connection begins is sent again after a second: the email is looked at again, and another one is made.
const maxUnconnected = 2

// Nothing was sent.
function isUnconnected({ message }: SesError): boolean {
  return message.includes('did not establish a connection')
}

// The SDK has the sockets; a place is one of them.
const place: Poolable = { dead: () => false, end: () => undefined, takesNext: () => false }

class Withheld extends Error {}

/** What is known of a call. */
interface Call {
  left: boolean
  /** All of the message was given to the connection: SES may have it. */
  whole: boolean
  withdrawn: boolean
  /** The status of its answer; 0 before that. */
  status: number
}

// The SDK does not look at the signal while it waits for a key of the machine's role, or reads an answer.
async function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function acceptedAs({ MessageId }: { MessageId?: string | undefined }): Handover {
  return { kind: 'accepted', response: MessageId === undefined ? 'Accepted by Amazon SES' : `Accepted by Amazon SES as ${MessageId}` }
}

// The message is put in before the request is signed, and right before it leaves it is asked whether it may: loading a key takes time.
async function commandOf(
  config: SesConfig,
  { from, to, pieces, tags }: SesMessage,
  { call, mayLeave }: { call: Call; mayLeave: () => Promise<boolean> },
): Promise<SendEmailCommand> {
  const { SendEmailCommand } = await sdk()
  const command = new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: to },
    Content: { Raw: { Data: placeholder } },
    EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
    ConfigurationSetName: config.SES_CONFIGURATION_SET,
  })
  command.middlewareStack.add(
    (next) => async (args) => {
      await fillIn(args.request as Parameters<typeof fillIn>[0], pieces, () => {
        call.whole = true
      })
      return next(args)
    },
    { step: 'build', priority: 'high' },
  )
  command.middlewareStack.add(
    (next) => async (args) => {
      if (!(await mayLeave())) throw new Withheld()
      const answered = await next(args)
      call.status = (answered.response as { statusCode: number }).statusCode
      return answered
    },
    { step: 'deserialize', priority: 'low' },
  )
  return command
}

const alwaysOpen: Gate = { opens: async () => true, holds: () => true }

type Advice = 'account' | 'key' | 'configuration' | 'network'

interface Row {
  names?: RegExp
  texts?: RegExp
  codes?: RegExp
  status?: RegExp
  means: 'refused' | 'deferred' | 'throttled' | 'uncertain' | { problem: Advice }
}

// What an error means for an email, by the first row that fits. SES says nothing about a recipient here: bounces come later.
const rows: Row[] = [
  { names: /^(TooManyRequests|Throttling|ThrottledException|RequestThrottled)/, means: 'throttled' },
  { names: /^(LimitExceeded|ConcurrentModification)/, means: 'deferred' },
  { names: /^(AccountSuspended|SendingPaused)/, means: { problem: 'account' } },
  { names: /^NotFoundException$/, means: { problem: 'configuration' } },
  { names: /^(MessageRejected|MailFromDomainNotVerified|BadRequest|Validation)/, means: 'refused' },
  {
    names:
      /^(CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|ExpiredToken|IncompleteSignature|MissingAuthenticationToken|AccessDenied)/,
    means: { problem: 'key' },
  },
  { texts: /did not establish a connection/, means: { problem: 'network' } },
  { status: /^(401|403)$/, means: { problem: 'key' } },
  { status: /^429$/, means: 'throttled' },
  { status: /^(408|3\d\d|5\d\d)$/, means: 'deferred' },
  { status: /^4\d\d$/, means: 'refused' },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/,
    means: { problem: 'network' },
  },
  // The connection was lost, or there was no answer in time: SES may have accepted it.
  { means: 'uncertain' },
]

function ofError(error: SesError, { whole }: Pick<Call, 'whole'>): Handover {
  const status = String(error.$metadata?.httpStatusCode ?? '')
  const fits = (pattern: RegExp | undefined, text: string): boolean => !pattern || pattern.test(text)
  const means = rows.find(
    (row) => fits(row.names, error.name) && fits(row.texts, error.message) && fits(row.status, status) && fits(row.codes, error.code ?? ''),
  )?.means
  const text = textOf(error)
  if (means === 'refused') {
    const answer = { phase: 'content' as const, code: Number(status), enhanced: null, text }
    return { kind: 'refused', response: `Amazon SES refused it: ${text}`, recipient: false, answer }
  }
  if (means === 'deferred') return { kind: 'deferred', response: `Amazon SES: ${text}` }
  if (means === 'throttled') return { kind: 'deferred', response: `Amazon SES: ${text}`, throttled: true }
  if (means === 'uncertain' && !whole)
    return { kind: 'deferred', response: `The connection to Amazon SES was lost before it had the message: ${text}` }
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
