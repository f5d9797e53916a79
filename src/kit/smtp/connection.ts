import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { contentOf, type Progress, type SmtpMessage, sizeOf } from './message.ts'
import type { Poolable } from './pool.ts'
import type { Phase } from './refusals.ts'

/** Timeouts of an SMTP session in milliseconds; `answerMs` limits the wait for each answer of the server. */
export interface SmtpTimeouts {
  connectMs: number
  greetingMs: number
  answerMs: number
  /** An unused connection is closed after this. */
  idleMs: number
}

/** What the server said about a message that it accepted for at least one address. */
export interface Accepted {
  response: string
  /** Its refusals of the other addresses. */
  rejectedErrors?: SmtpError[]
}

/** A failure of a session; with `responseCode` it is an answer of the server, otherwise the connection was lost. */
export type SmtpError = Error & {
  code?: string
  command?: string
  response?: string
  responseCode?: number
  recipient?: string
  rejectedErrors?: SmtpError[]
}

/** One SMTP session. */
export interface Connection extends Poolable {
  ready: boolean
  /** Messages sent over this connection. */
  sent: number
  /** Connects and logs in. Throws SmtpError. */
  open(): Promise<void>
  /** Sends one message; afterwards the session can be used again, or is dead. Throws SmtpError. */
  send(message: SmtpMessage, progress: Progress): Promise<Accepted>
}

/**
 * An SMTP session with a server (RFC 5321), not opened yet. It uses pipelining (RFC 2920) and STARTTLS where the server offers
 * them, TLS with smtps://, and nodemailer's URL parameters such as `?tls.rejectUnauthorized=false`.
 */
export function createConnection(url: string, timeouts: SmtpTimeouts): Connection {
  const options = parseConnectionUrl(url)
  const smtp = new SMTPConnection({
    ...options,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.answerMs,
    socketCloseTimeout: 1_000,
  })
  const promised = promisesOf(smtp, timeouts.answerMs * maxAnswers)
  const connection: Connection = {
    ready: false,
    sent: 0,
    dead: () => smtp.destroyed || (!connection.ready && smtp.stage !== 'init'),
    async open() {
      await promised<void>((done) => smtp.connect(done))
      if (options.auth && smtp.allowsAuth) await promised((done) => smtp.login(options.auth ?? {}, done))
      connection.ready = true
    },
    async send({ from, to, pieces }, progress) {
      const content = contentOf(pieces, progress)
      try {
        const info = await promised<Accepted>((done) => smtp.send({ from, to, size: sizeOf(pieces) }, content, done as never))
        connection.sent++
        return info
      } catch (error) {
        await resetSession(smtp, error as SmtpError, progress)
        throw error
      }
    },
    end: () => (smtp.destroyed ? undefined : connection.ready ? smtp.quit() : smtp.close()),
  }
  return connection
}

/** The step of a session that a failure of `send` belongs to. */
export function phaseOf({ command = '', code }: SmtpError, contentBegun: boolean): Phase {
  if (command === 'RCPT TO') return 'rcpt'
  if (command === 'DATA') return code === 'EMESSAGE' ? 'content' : 'data'
  return contentBegun ? 'content' : 'mail'
}

// A message takes this many answers, and a large one may take minutes to be written.
const maxAnswers = 5

type Promised = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>

// Makes promises of calls with a callback that also fail when the connection is lost. Without a listener for its errors a
// lost connection would end the process. Whatever takes longer than `maxMs` ends it: a server that answers bit by bit would
// hold it for ever.
function promisesOf(connection: SMTPConnection, maxMs: number): Promised {
  let failed: ((error: Error) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  connection.on('error', (error: Error) => failed?.(error))
  return <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      failed = reject
      timer = setTimeout(() => {
        connection.close()
        reject(new Error(`The mail server did not finish its answers within ${maxMs / 1_000} s`))
      }, maxMs)
      start((error, result) => (error ? reject(error) : resolve(result as T)))
    }).finally(() => {
      clearTimeout(timer)
      failed = undefined
    })
}

// After a refused message the session is reset (RSET), unless the server is closing it (421, RFC 5321, 3.8) or has answered
// before it had the whole content: it would take the rest for commands.
async function resetSession(connection: SMTPConnection, error: SmtpError, { contentBegun, contentEnded }: Progress): Promise<void> {
  if (connection.destroyed) return
  if (error.responseCode === 421 || (contentBegun && !contentEnded)) return connection.close()
  const stays = await new Promise<boolean>((resolve) => {
    connection.once('end', () => resolve(false))
    connection.reset((problem) => resolve(!problem))
  })
  if (!stays) connection.close()
}
