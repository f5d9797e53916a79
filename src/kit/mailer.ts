import { type Connection, createConnection, phaseOf, type SessionPlan, type SmtpTimeouts } from './smtp/connection.ts'
import type { Gate, Progress, SmtpMessage } from './smtp/message.ts'
import { createPool, type Lease, type TakePlan } from './smtp/pool/pool.ts'
import type { Priority, User } from './smtp/pool/shares.ts'
import { type Answer, isMailboxError, meaningOf, type Phase, parseAnswer, sentenceOf } from './smtp/refusals.ts'
import { type Accepted, type SmtpError, withheld } from './smtp/transaction.ts'
import { reasonOf, type TransportProblem, transportProblem } from './transport-problem.ts'

/** An address that the mail server has refused while it dealt with the others of a message. */
export interface RefusedCopy {
  address: string
  response: string
  /** `later`: for a while. `unknown`: because there is no such address. `never`: for another reason, for good. */
  refused: 'later' | 'unknown' | 'never'
}

interface Copies {
  /** The copies that were refused by themselves; absent when none was, or the message failed before that. */
  copies?: RefusedCopy[]
  /** Others were sent their copies although the recipient was refused: it must not be sent again. */
  copied?: true
}

/** How an attempt to hand a message over to the mail server ended. `answer` is absent when the server gave none. */
export type Handover = Copies & Ending

type Ending =
  | { kind: 'accepted'; response: string }
  /**
   * Refused for good, with the server's sentence. `recipient`: because there is no such address (a hard bounce). `mailbox`: because
   * the mailbox cannot take any email at present, as it is full.
   */
  | { kind: 'refused'; response: string; recipient: boolean; answer?: Answer; mailbox?: true }
  /**
   * Temporary failure (4xx, no connection, or lost before an answer): retry later. `problem`: the server cannot be used at all.
   * `uncertain`: it had the whole message, and may have accepted it. `mailbox`: as above. `throttled`: it takes no more at the moment,
   * which says nothing about this message.
   */
  | {
      kind: 'deferred'
      response: string
      problem?: TransportProblem
      answer?: Answer
      uncertain?: boolean
      mailbox?: true
      throttled?: true
    }

/** A mail server, used over SMTP. It never throws for an answer of the server: that is a Handover. */
export interface SmtpTransport {
  /** Sends one urgent message, over a connection of the pool. */
  send(message: SmtpMessage): Promise<Handover>
  /** Connects and logs in without sending anything; null when the server can be used, or this process is ending. */
  check(): Promise<TransportProblem | null>
  /** Closes unused connections, and the others when they are released. */
  close(): Promise<void>
}

/** A mail server whose connections can be taken before there is a message to send. */
export interface SmtpPool extends SmtpTransport {
  /**
   * Waits for a connection, in turn with other owners, and opens it. Fails only when `signal` is aborted while it waits for its turn,
   * or, with `onlyQuick`, with OwnerSlow.
   */
  connect(priority: Priority, plan?: TakePlan): Promise<SmtpConnection>
  /** How many messages of an owner whose messages take long can be under way at the same time; Infinity for another owner. */
  maxUnderWay(user: User): number
}

/** A connection of the pool for one caller, who releases it when done. */
export interface SmtpConnection {
  /** Why nothing can be sent: the server could not be reached, or refused us. `send` answers the same. */
  readonly unavailable: Handover | null
  /**
   * Sends a message. Null when it did not leave, which says nothing about it: the connection had ended while it was unused, the
   * gate was closed, it has left its place to others because it takes long, or this process is ending. `renew` the connection then,
   * and decide again whether to send.
   */
  send(message: SmtpMessage, gate?: Gate): Promise<Handover | null>
  /**
   * Continues with a new connection; when the one before had ended, nothing is sent before the next message over it. It may take as long
   * as the first time, and fails as `connect` does.
   */
  renew(): Promise<void>
  release(): void
}

const defaultTimeouts: SmtpTimeouts = {
  connectMs: 10_000,
  greetingMs: 15_000,
  openMs: 30_000,
  answerMs: 120_000,
  idleMs: 10_000,
  slowMs: 1_000,
  patienceMs: 30_000,
}

/**
 * A pool of SMTP connections to one server. What is not urgent leaves at least four of eight or more connections to urgent
 * messages, or half of fewer. There are twice as many more for messages, and for connections to open, that take longer than a second. While
 * other messages wait for one of these, a message is given up after 30 s unless its content is being sent.
 *
 * @param max connections open at the same time for messages that the server takes quickly; further messages wait
 * @param plan timeouts, and the signal that this process is ending: from then on nothing is sent, and no answer is awaited for long
 */
export function createSmtpTransport(url: string, max: number, plan: Partial<SessionPlan> = {}): SmtpPool {
  const limits = { ...defaultTimeouts, ...plan }
  const pool = createPool(max, limits, () => createConnection(url, limits))
  async function connect(priority: Priority, plan?: TakePlan): Promise<SmtpConnection> {
    const lease = await pool.take(priority, plan)
    let unavailable = await openedOf(lease)
    return {
      get unavailable() {
        return unavailable
      },
      send: async (message, gate = alwaysOpen) => unavailable ?? attempt(lease, message, gate),
      async renew() {
        await lease.renew()
        unavailable = await openedOf(lease)
      },
      release: lease.release,
    }
  }
  return {
    connect,
    maxUnderWay: pool.maxUnderWay,
    async send(message) {
      const connection = await connect('urgent')
      try {
        for (;;) {
          const handover = await connection.send(message)
          if (handover) return handover
          limits.closing?.throwIfAborted()
          await connection.renew()
        }
      } finally {
        connection.release()
      }
    },
    async check() {
      const connection = createConnection(url, limits)
      const handover = await opened(connection)
      connection.end()
      return (handover?.kind === 'deferred' && handover.problem) || null
    },
    async close() {
      pool.close()
    },
  }
}

async function openedOf(lease: Lease<Connection>): Promise<Handover | null> {
  if (lease.connection.ready) return null
  const end = lease.opening()
  return opened(lease.connection).finally(end)
}

async function opened(connection: Connection): Promise<Handover | null> {
  try {
    if (!connection.ready) await connection.open()
    return null
  } catch (error) {
    const failure = error as SmtpError
    // This process is ending: that says nothing about the server.
    if (failure.code === withheld) return null
    return unavailable(failure, answerOf(failure.command?.startsWith('AUTH') ? 'auth' : 'connect', failure))
  }
}

const alwaysOpen: Gate = { opens: async () => true, holds: () => true }

// Null: the message was withheld, or the connection has ended while it was idle, or the server wants no more messages over it
// (421). None of that says anything about this message.
async function attempt(lease: Lease<Connection>, message: SmtpMessage, gate: Gate): Promise<Handover | null> {
  const { connection } = lease
  const progress: Progress = { gate, contentBegun: false, contentEnded: false }
  const end = lease.begin({ withdraw: () => progress.withdraw?.() ?? true, giveUp: () => progress.giveUp?.() })
  if (!end) return null
  try {
    return ofAccepted(message, await connection.send(message, progress))
  } catch (error) {
    const failure = error as SmtpError
    const ended = failure.responseCode === 421 || (failure.responseCode === undefined && !isInvalid(failure))
    const isStale = ended && connection.sent > 0 && !progress.contentBegun && !progress.tookTooLong
    const isWithheld = failure.code === withheld && !progress.contentEnded
    return isWithheld || isStale ? null : ofFailure(message, failure, progress)
  } finally {
    end()
  }
}

// The server has accepted the message for at least one address; its answer for the recipient decides.
function ofAccepted(message: SmtpMessage, { response, rejectedErrors }: Accepted): Handover {
  const copies = copiesOf(message, rejectedErrors)
  const refused = message.onlyCopies ? undefined : rejectedErrors?.find(({ recipient }) => recipient === message.to[0])
  const answer = refused && answerOf('rcpt', refused)
  if (!answer) return { kind: 'accepted', response, ...copies }
  const handover = ofAnswer(message, refused, answer)
  if (handover.kind === 'refused') return { ...handover, ...copies, copied: true }
  // A retry would send the copies a second time.
  const sentence = `The copies were accepted but the recipient was not: ${sentenceOf(answer)}`
  const mailbox = handover.kind === 'deferred' ? mailboxOf(handover) : {}
  return { kind: 'refused', response: sentence, recipient: false, answer, ...mailbox, ...copies, copied: true }
}

function copiesOf({ to, onlyCopies }: SmtpMessage, rejectedErrors: SmtpError[] = []): Copies {
  const refused = rejectedErrors.filter(({ recipient }) => onlyCopies || recipient !== to[0])
  return refused.length === 0 ? {} : { copies: refused.map(refusedCopy) }
}

function refusedCopy(error: SmtpError): RefusedCopy {
  const { recipient: address = '', message } = error
  const answer = answerOf('rcpt', error)
  if (!answer) return { address, response: reasonOf(message), refused: 'later' }
  const meaning = meaningOf(answer, 1)
  const refused = meaning === 'deferred' ? 'later' : meaning === 'unknown-address' ? 'unknown' : 'never'
  return { address, response: sentenceOf(answer), refused }
}

function mailboxOf({ mailbox }: { mailbox?: true }): { mailbox?: true } {
  return mailbox ? { mailbox } : {}
}

function ofFailure(message: SmtpMessage, failure: SmtpError, { contentBegun, contentEnded }: Progress): Handover {
  // When every address was refused, the failure may be that of another one than the recipient.
  const own = failure.rejectedErrors?.find(({ recipient }) => recipient === message.to[0]) ?? failure
  const answer = answerOf(phaseOf(own, contentBegun), own)
  if (answer) return { ...ofAnswer(message, own, answer), ...copiesOf(message, failure.rejectedErrors) }
  const reason = reasonOf(failure.message)
  if (isInvalid(failure)) return { kind: 'refused', response: failure.code === 'EMESSAGE' ? tooLarge(reason) : reason, recipient: false }
  if (contentBegun) {
    const response = `The connection was lost before the mail server confirmed the message: ${reason}`
    return { kind: 'deferred', response, ...(contentEnded && { uncertain: true }) }
  }
  return { kind: 'deferred', response: `The connection to the mail server was lost: ${reason}` }
}

function ofAnswer(message: SmtpMessage, failure: SmtpError, answer: Answer): Handover {
  const sentence = sentenceOf(answer)
  const meaning = meaningOf(answer, message.to.length)
  if (meaning === 'unavailable') return unavailable(failure, answer)
  const mailbox = isMailboxError(answer, message.to.length) ? { mailbox: true as const } : {}
  if (meaning === 'deferred') return { kind: 'deferred', response: sentence, answer, ...mailbox }
  const response = meaning === 'too-large' ? tooLarge(sentence) : sentence
  return { kind: 'refused', response, recipient: meaning === 'unknown-address', answer, ...mailbox }
}

function unavailable(failure: SmtpError, answer: Answer | undefined): Handover {
  const reason = answer ? sentenceOf(answer) : reasonOf(failure.message)
  const response = `The mail server could not be used: ${reason}`
  return { kind: 'deferred', response, problem: transportProblem(reason, failure), ...(answer && { answer }) }
}

// An answer of another kind, where none was expected, only shows that the session is out of step.
function answerOf(phase: Phase, { response, responseCode = 0 }: SmtpError): Answer | undefined {
  return responseCode >= 400 && response !== undefined ? parseAnswer(phase, response) : undefined
}

// Refused before it was offered: an address that cannot be sent, or a message larger than the server has announced to accept.
function isInvalid({ code, responseCode }: SmtpError): boolean {
  return responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

function tooLarge(reason: string): string {
  return `The email is too large for the mail server: ${reason}`
}
