import type { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import type { Handover } from '../mailer.ts'
import { type Gate, type SmtpMessage, sizeOf } from '../smtp/message.ts'
import { createPool, type Lease, type Poolable, type TakePlan } from '../smtp/pool/pool.ts'
import type { Priority, User } from '../smtp/pool/shares.ts'
import type { TransportProblem } from '../transport-problem.ts'
import { acceptedAs, errorAs, problemOf } from './answers.ts'
import { fillIn, placeholder } from './body.ts'
import { openClient, type SesConfig, type SesError, sdk } from './client.ts'
import { createAdaptiveRate, type Turn } from './rate.ts'

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
  /** How many messages of an owner can be under way at the same time, because they take long or SES throttles; Infinity otherwise. */
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

/** How a transport reports, and when it ends. */
interface SesPlan {
  /** Aborted when this process begins to end: answers are awaited for 3 s then. */
  closing: AbortSignal
  /** Called when SES throttles for the first time: from now on messages leave at this rate, which adapts. Default: nothing. */
  limited?: (perSecond: number) => void
}

/** A connection to SES by the SES_… settings. */
export function createSesTransport(config: SesConfig, { closing, limited = () => undefined }: SesPlan): SesTransport {
  let opening: Promise<SESv2Client> | undefined
  const client = (): Promise<SESv2Client> => {
    opening ??= openClient(config, plan)
    return opening
  }
  const ended = new AbortController()
  closing.addEventListener('abort', () => void setTimeout(() => ended.abort(), closeMs).unref(), { once: true })
  const pool = createPool<Poolable>(maxCalls, limits, () => place)
  const rate = createAdaptiveRate(closing, limited)
  const send = senderBy({ config, client, closing, ended: ended.signal })
  return {
    async connect(priority, take) {
      const lease = await pool.take(priority, take)
      const unconnected: Unconnected = { times: 0 }
      return {
        // It waits with its place, so that no more messages are in memory than there are places.
        async send(message, gate = alwaysOpen) {
          const turn = await rate.turn({ priority, owner: take?.owner ?? '' })
          return turn && endTurn(turn, await send(lease, unconnected, message, gate))
        },
        renew: lease.renew,
        release: lease.release,
      }
    },
    maxUnderWay: (user) => Math.min(pool.maxUnderWay(user), rate.maxUnderWay()),
    async check() {
      try {
        const [ses, { GetAccountCommand }] = await Promise.all([client(), sdk()])
        const signal = AbortSignal.any([closing, AbortSignal.timeout(checkMs)])
        const { SendingEnabled } = await until(signal, ses.send(new GetAccountCommand({}), { abortSignal: signal }))
        return SendingEnabled === false ? problemOf('Sending is paused for this account', 'account') : null
      } catch (error) {
        const handover = errorAs(error as SesError, { whole: false })
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

function endTurn(turn: Turn, handover: Handover | null): Handover | null {
  if (!handover) turn.unused()
  else if (handover.kind === 'accepted') turn.accepted()
  else if (handover.kind === 'deferred' && handover.throttled) turn.throttled()
  return handover
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
      return error instanceof Withheld || isEarly ? null : errorAs(error as SesError, call)
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
