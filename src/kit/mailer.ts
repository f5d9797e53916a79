import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type TransportProblem, transportProblem } from './transport-problem.ts'

/** How an attempt to hand a message over to the mail server ended. */
export type Handover =
  | { kind: 'accepted'; response: string }
  /** Permanently refused (5xx), with the server's sentence. `recipient` is true when it refused the address itself. */
  | { kind: 'refused'; response: string; recipient: boolean }
  /** Temporary failure (4xx, no connection, or lost before an answer): retry later. `problem`: the server cannot be used at all. */
  | { kind: 'deferred'; response: string; problem?: TransportProblem }

/** One message to send: envelope and complete MIME bytes. The first of `to` is the recipient; the others get copies. */
export interface SmtpMessage {
  from: string
  to: string[]
  raw: Buffer
}

/** A mail server, used over SMTP. It never throws for an answer of the server: that is a Handover. */
export interface SmtpTransport {
  send(message: SmtpMessage): Promise<Handover>
  /** Connects and logs in without sending anything; null when the server can be used. */
  check(): Promise<TransportProblem | null>
  close(): Promise<void>
}

/** Timeouts of an SMTP session in milliseconds; `answerMs` limits the wait for each answer of the server. */
export interface SmtpTimeouts {
  connectMs: number
  greetingMs: number
  answerMs: number
  /** An unused connection is closed after this. */
  idleMs: number
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 10_000, greetingMs: 15_000, answerMs: 120_000, idleMs: 10_000 }

/**
 * A pool of SMTP connections to one server (RFC 5321). It uses pipelining (RFC 2920) and STARTTLS where the server offers
 * them, TLS with smtps://, and nodemailer's URL parameters such as `?tls.rejectUnauthorized=false`.
 *
 * @param max connections open at the same time; further messages wait
 */
export function createSmtpTransport(url: string, max: number, timeouts: Partial<SmtpTimeouts> = {}): SmtpTransport {
  const pool = createPool(url, max, { ...defaultTimeouts, ...timeouts })
  return {
    async send(message) {
      const first = await tryOnce(pool, message)
      // A connection may have ended while it was idle, which says nothing about the message.
      if (first.stale) return (await tryOnce(pool, message, true)).handover
      return first.handover
    },
    async check() {
      const connection = createConnection(url, { ...defaultTimeouts, ...timeouts })
      try {
        await connection.open()
        return null
      } catch (error) {
        return transportProblem(sentence(error as SmtpError), error as SmtpError)
      } finally {
        connection.end()
      }
    },
    close: pool.close,
  }
}

async function tryOnce(pool: Pool, message: SmtpMessage, fresh = false): Promise<{ handover: Handover; stale: boolean }> {
  const connection = await pool.take(fresh)
  const attempt: Attempt = { phase: 'connecting', contentSent: false }
  try {
    if (!connection.ready) await connection.open()
    attempt.phase = 'sending'
    const info = await connection.send(message, attempt)
    pool.give(connection)
    return { handover: outcomeOfAnswer(message, info), stale: false }
  } catch (error) {
    pool.give(connection)
    const failure = error as SmtpError
    const stale =
      connection.sent > 0 &&
      !attempt.contentSent &&
      failure.responseCode === undefined &&
      failure.code !== 'EENVELOPE' &&
      failure.code !== 'EMESSAGE'
    return { handover: outcomeOfError(failure, attempt), stale: stale && !fresh }
  }
}

interface Attempt {
  phase: 'connecting' | 'sending'
  /** The server has asked for the content: if the connection is lost now, it is unknown whether it accepted the message. */
  contentSent: boolean
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number; recipient?: string }

interface Sent {
  response: string
  rejectedErrors?: SmtpError[]
}

// The server has accepted the message for at least one address; its answer for the recipient decides.
function outcomeOfAnswer(message: SmtpMessage, info: Sent): Handover {
  const refused = info.rejectedErrors?.find((error) => error.recipient === message.to[0])
  if (!refused) return { kind: 'accepted', response: info.response }
  const answer = sentence(refused)
  if ((refused.responseCode ?? 0) >= 500) return { kind: 'refused', response: answer, recipient: refusesAddress(answer) }
  // A retry would send the copies a second time.
  return { kind: 'refused', response: `The copies were accepted but the recipient was not: ${answer}`, recipient: false }
}

function outcomeOfError(error: SmtpError, attempt: Attempt): Handover {
  const { responseCode = 0 } = error
  const answer = sentence(error)
  if (attempt.phase === 'connecting')
    return { kind: 'deferred', response: `The mail server could not be used: ${answer}`, problem: transportProblem(answer, error) }
  if (responseCode >= 500) return { kind: 'refused', response: answer, recipient: error.command === 'RCPT TO' && refusesAddress(answer) }
  if (responseCode >= 400) return { kind: 'deferred', response: answer }
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return { kind: 'refused', response: answer, recipient: false }
  if (attempt.contentSent)
    return { kind: 'deferred', response: `The connection was lost before the mail server confirmed the message: ${answer}` }
  return { kind: 'deferred', response: `The connection to the mail server was lost: ${answer}` }
}

// Policy (5.7.x), a full mailbox (5.2.2), a too large message (5.2.3) and problems of the server (5.3.x, 5.4.x) say nothing about
// the address (RFC 3463).
function refusesAddress(answer: string): boolean {
  return !/^5\d\d[ -]5\.(?:7\.\d+|2\.[23]|3\.\d+|4\.\d+)\b/.test(answer)
}

function sentence(error: SmtpError): string {
  return (error.response ?? error.message)
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, 500)
}

interface Connection {
  ready: boolean
  /** Messages sent over this connection. */
  sent: number
  dead(): boolean
  open(): Promise<void>
  send(message: SmtpMessage, attempt: Attempt): Promise<Sent>
  end(): void
}

interface Pool {
  take(fresh: boolean): Promise<Connection>
  give(connection: Connection): void
  close(): Promise<void>
}

function createPool(url: string, max: number, timeouts: SmtpTimeouts): Pool {
  const idle: { connection: Connection; timer: NodeJS.Timeout }[] = []
  const waiting: ((connection: Connection) => void)[] = []
  let open = 0

  function pick(fresh: boolean): Connection | undefined {
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer)
      if (!fresh && !next.connection.dead()) return next.connection
      drop(next.connection)
    }
    if (open >= max) return undefined
    open++
    return createConnection(url, timeouts)
  }

  function keep(connection: Connection): void {
    const entry = {
      connection,
      timer: setTimeout(() => {
        idle.splice(idle.indexOf(entry), 1)
        drop(connection)
      }, timeouts.idleMs),
    }
    idle.push(entry)
  }

  function drop(connection: Connection): void {
    open--
    connection.end()
  }

  return {
    take(fresh) {
      const connection = pick(fresh)
      return connection ? Promise.resolve(connection) : new Promise((resolve) => waiting.push(resolve))
    },
    give(connection) {
      const next = waiting.shift()
      if (!connection.dead() && next) return next(connection)
      if (connection.dead()) drop(connection)
      else keep(connection)
      const replacement = next && pick(false)
      if (replacement) next(replacement)
    },
    async close() {
      for (const { connection, timer } of idle.splice(0)) {
        clearTimeout(timer)
        drop(connection)
      }
    },
  }
}

function createConnection(url: string, timeouts: SmtpTimeouts): Connection {
  const options = parseConnectionUrl(url)
  const smtp = new SMTPConnection({
    ...options,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.answerMs,
    socketCloseTimeout: 1_000,
  })
  const promised = promisesOf(smtp)
  const connection: Connection = {
    ready: false,
    sent: 0,
    dead: () => smtp.destroyed || (!connection.ready && smtp.stage !== 'init'),
    async open() {
      await promised<void>((done) => smtp.connect(done))
      if (options.auth && smtp.allowsAuth) await promised((done) => smtp.login(options.auth ?? {}, done))
      connection.ready = true
    },
    async send({ from, to, raw }, attempt) {
      const content = contentOf(raw, attempt)
      try {
        const info = await promised<Sent>((done) => smtp.send({ from, to, size: raw.length }, content, done as never))
        connection.sent++
        return info
      } catch (error) {
        await resetSession(smtp, error as SmtpError)
        throw error
      }
    },
    end: () => (smtp.destroyed ? undefined : connection.ready ? smtp.quit() : smtp.close()),
  }
  return connection
}

type Promised = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>

// Makes promises of calls with a callback that also fail when the connection is lost. Without a listener for its errors a
// lost connection would end the process.
function promisesOf(connection: SMTPConnection): Promised {
  let failed: ((error: Error) => void) | undefined
  connection.on('error', (error: Error) => failed?.(error))
  return <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      failed = reject
      start((error, result) => (error ? reject(error) : resolve(result as T)))
    }).finally(() => {
      failed = undefined
    })
}

// A stream instead of the bytes, because it is read only after the server has asked for the content.
function contentOf(raw: Buffer, attempt: Attempt): Readable {
  return new Readable({
    read() {
      attempt.contentSent = true
      this.push(raw)
      this.push(null)
    },
  })
}

// After a refused message the session is reset (RSET), unless the server is closing it (421, RFC 5321, 3.8).
async function resetSession(connection: SMTPConnection, error: SmtpError): Promise<void> {
  if (connection.destroyed) return
  if (error.responseCode === 421) return connection.close()
  const stays = await new Promise<boolean>((resolve) => {
    connection.once('end', () => resolve(false))
    connection.reset((problem) => resolve(!problem))
  })
  if (!stays) connection.close()
}
