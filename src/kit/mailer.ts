import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type TransportProblem, transportProblem } from './transport-problem.ts'

/** How an attempt to hand a mail over ended. */
export type Handover =
  | { kind: 'accepted'; response: string }
  /** The server said no for good (5xx): the sentence it gave. `recipient` is true when it refused the address itself. */
  | { kind: 'refused'; response: string; recipient: boolean }
  /** Not now (4xx, no connection, lost before an answer): try again later. `problem`: the server cannot be used at all. */
  | { kind: 'deferred'; response: string; problem?: TransportProblem }

/** One mail ready for the wire: envelope and complete MIME bytes. The first of `to` is the one the mail is about. */
export interface Parcel {
  from: string
  to: string[]
  raw: Buffer
}

/** A mail server, spoken to over SMTP. Never throws for what the server says: that is a Handover. */
export interface SmtpTransport {
  send(parcel: Parcel): Promise<Handover>
  /** Connects and logs in without sending anything; null when the server can be used. */
  check(): Promise<TransportProblem | null>
  close(): Promise<void>
}

/** How long the parts of a session may take, in milliseconds; `answerMs` is the longest silence of the server. */
export interface SmtpPatience {
  connectMs: number
  greetingMs: number
  answerMs: number
  /** An unused connection is closed after this. */
  idleMs: number
}

const patience: SmtpPatience = { connectMs: 10_000, greetingMs: 15_000, answerMs: 120_000, idleMs: 10_000 }

/**
 * A pool of SMTP connections to one server (RFC 5321), pipelining where it is offered (RFC 2920) and encrypted by
 * smtps:// or STARTTLS where it is offered; `?tls.rejectUnauthorized=false` and nodemailer's other URL parameters hold.
 *
 * @param most connections kept open at the same time; further mails wait
 */
export function createSmtpTransport(url: string, most: number, waits: Partial<SmtpPatience> = {}): SmtpTransport {
  const pool = createPool(url, most, { ...patience, ...waits })
  return {
    async send(parcel) {
      const first = await tryOnce(pool, parcel)
      // A kept connection may have ended while it was idle: that says nothing about the mail.
      if (first.stale) return (await tryOnce(pool, parcel, true)).handover
      return first.handover
    },
    async check() {
      const line = createLine(url, { ...patience, ...waits })
      try {
        await line.open()
        return null
      } catch (error) {
        return transportProblem(sentence(error as SmtpError), error as SmtpError)
      } finally {
        line.end()
      }
    },
    close: pool.close,
  }
}

async function tryOnce(pool: Pool, parcel: Parcel, fresh = false): Promise<{ handover: Handover; stale: boolean }> {
  const line = await pool.take(fresh)
  const attempt: Attempt = { phase: 'connecting', handed: false }
  try {
    if (!line.ready) await line.open()
    attempt.phase = 'sending'
    const info = await line.send(parcel, attempt)
    pool.give(line)
    return { handover: taken(parcel, info), stale: false }
  } catch (error) {
    pool.give(line)
    const failure = error as SmtpError
    const stale =
      line.sent > 0 && !attempt.handed && failure.responseCode === undefined && failure.code !== 'EENVELOPE' && failure.code !== 'EMESSAGE'
    return { handover: fate(failure, attempt), stale: stale && !fresh }
  }
}

interface Attempt {
  phase: 'connecting' | 'sending'
  /** The content was on its way: if the connection is lost now, nobody knows whether the server kept the mail. */
  handed: boolean
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number; recipient?: string }

interface Sent {
  response: string
  rejectedErrors?: SmtpError[]
}

// The server took the mail for somebody; what it said about the one it is about decides.
function taken(parcel: Parcel, info: Sent): Handover {
  const refused = info.rejectedErrors?.find((error) => error.recipient === parcel.to[0])
  if (!refused) return { kind: 'accepted', response: info.response }
  const answer = sentence(refused)
  if ((refused.responseCode ?? 0) >= 500) return { kind: 'refused', response: answer, recipient: refusesAddress(answer) }
  // Trying again would send the copies a second time.
  return { kind: 'refused', response: `The copies were accepted but the recipient was not: ${answer}`, recipient: false }
}

function fate(error: SmtpError, attempt: Attempt): Handover {
  const { responseCode = 0 } = error
  const answer = sentence(error)
  if (attempt.phase === 'connecting')
    return { kind: 'deferred', response: `The mail server could not be used: ${answer}`, problem: transportProblem(answer, error) }
  if (responseCode >= 500) return { kind: 'refused', response: answer, recipient: error.command === 'RCPT TO' && refusesAddress(answer) }
  if (responseCode >= 400) return { kind: 'deferred', response: answer }
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return { kind: 'refused', response: answer, recipient: false }
  if (attempt.handed) return { kind: 'deferred', response: `The connection was lost before the mail server confirmed the mail: ${answer}` }
  return { kind: 'deferred', response: `The connection to the mail server was lost: ${answer}` }
}

// Policy (5.7.x), a full mailbox (5.2.2) and trouble of the server (5.3.x, 5.4.x) say nothing about the address (RFC 3463).
function refusesAddress(answer: string): boolean {
  return !/^5\d\d[ -]5\.(?:7\.\d+|2\.[23]|3\.\d+|4\.\d+)\b/.test(answer)
}

function sentence(error: SmtpError): string {
  return (error.response ?? error.message)
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, 500)
}

interface Line {
  ready: boolean
  /** Mails this connection has taken. */
  sent: number
  dead(): boolean
  open(): Promise<void>
  send(parcel: Parcel, attempt: Attempt): Promise<Sent>
  end(): void
}

interface Pool {
  take(fresh: boolean): Promise<Line>
  give(line: Line): void
  close(): Promise<void>
}

function createPool(url: string, most: number, waits: SmtpPatience): Pool {
  const idle: { line: Line; timer: NodeJS.Timeout }[] = []
  const waiting: ((line: Line) => void)[] = []
  let open = 0

  function pick(fresh: boolean): Line | undefined {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      clearTimeout(kept.timer)
      if (!fresh && !kept.line.dead()) return kept.line
      drop(kept.line)
    }
    if (open >= most) return undefined
    open++
    return createLine(url, waits)
  }

  function keep(line: Line): void {
    const kept = {
      line,
      timer: setTimeout(() => {
        idle.splice(idle.indexOf(kept), 1)
        drop(line)
      }, waits.idleMs),
    }
    idle.push(kept)
  }

  function drop(line: Line): void {
    open--
    line.end()
  }

  return {
    take(fresh) {
      const line = pick(fresh)
      return line ? Promise.resolve(line) : new Promise((resolve) => waiting.push(resolve))
    },
    give(line) {
      const next = waiting.shift()
      if (!line.dead() && next) return next(line)
      if (line.dead()) drop(line)
      else keep(line)
      const replacement = next && pick(false)
      if (replacement) next(replacement)
    },
    async close() {
      for (const { line, timer } of idle.splice(0)) {
        clearTimeout(timer)
        drop(line)
      }
    },
  }
}

function createLine(url: string, waits: SmtpPatience): Line {
  const options = parseConnectionUrl(url)
  const connection = new SMTPConnection({
    ...options,
    connectionTimeout: waits.connectMs,
    greetingTimeout: waits.greetingMs,
    socketTimeout: waits.answerMs,
    socketCloseTimeout: 1_000,
  })
  const promised = promising(connection)
  const line: Line = {
    ready: false,
    sent: 0,
    dead: () => connection.destroyed || (!line.ready && connection.stage !== 'init'),
    async open() {
      await promised<void>((done) => connection.connect(done))
      if (options.auth && connection.allowsAuth) await promised((done) => connection.login(options.auth ?? {}, done))
      line.ready = true
    },
    async send({ from, to, raw }, attempt) {
      const content = contentOf(raw, attempt)
      try {
        const info = await promised<Sent>((done) => connection.send({ from, to, size: raw.length }, content, done as never))
        line.sent++
        return info
      } catch (error) {
        await clear(connection, error as SmtpError)
        throw error
      }
    },
    end: () => (connection.destroyed ? undefined : line.ready ? connection.quit() : connection.close()),
  }
  return line
}

type Promised = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>

// Without a listener a lost connection would end the process; with it, whatever is under way hears of it.
function promising(connection: SMTPConnection): Promised {
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

// A stream instead of the bytes, because it is read only once the server has asked for the content.
function contentOf(raw: Buffer, attempt: Attempt): Readable {
  return new Readable({
    read() {
      attempt.handed = true
      this.push(raw)
      this.push(null)
    },
  })
}

// After a refused mail the session starts over (RSET), unless the server is closing it (421, RFC 5321 3.8).
async function clear(connection: SMTPConnection, error: SmtpError): Promise<void> {
  if (connection.destroyed) return
  if (error.responseCode === 421) return connection.close()
  const stays = await new Promise<boolean>((resolve) => {
    connection.once('end', () => resolve(false))
    connection.reset((problem) => resolve(!problem))
  })
  if (!stays) connection.close()
}
