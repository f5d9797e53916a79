import type { Socket } from 'node:net'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Progress, SmtpMessage } from './message.ts'
import type { Poolable } from './pool.ts'
import type { Phase } from './refusals.ts'
import { createReplies, type Replies } from './replies.ts'
import {
  type Accepted,
  type Extensions,
  extensionsOf,
  isReset,
  requireSendable,
  type Session,
  type SmtpError,
  sendMessage,
  smtpError,
} from './transaction.ts'

/** Timeouts of an SMTP session in milliseconds; `answerMs` limits the wait for each answer of the server. */
export interface SmtpTimeouts {
  connectMs: number
  greetingMs: number
  answerMs: number
  /** An unused connection is closed after this. */
  idleMs: number
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
  const maxMs = timeouts.answerMs * maxAnswers
  const promised = promisesOf(smtp, maxMs)
  let session: SharedSession | undefined
  const connection: Connection = {
    ready: false,
    sent: 0,
    dead: () => smtp.destroyed || (!connection.ready && smtp.stage !== 'init'),
    async open() {
      await promised<void>((done) => smtp.connect(done))
      // The reply to EHLO, until another one comes.
      const extensions = extensionsOf(smtp.lastServerResponse || '')
      if (options.auth && smtp.allowsAuth) await promised((done) => smtp.login(options.auth ?? {}, done))
      session = shareSession(smtp, extensions)
      connection.ready = true
    },
    async send(message, progress) {
      if (!session || smtp.destroyed || !session.socket.writable) throw smtpError('The connection is closed', 'ECONNECTION', 'API')
      requireSendable(session.extensions, message)
      const accepted = await session.during(maxMs, (own) => sendMessage(own, message, progress), progress)
      connection.sent++
      return accepted
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

function tookTooLong(maxMs: number): Error {
  return new Error(`The mail server did not finish its answers within ${maxMs / 1_000} s`)
}

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
        reject(tookTooLong(maxMs))
      }, maxMs)
      start((error, result) => (error ? reject(error) : resolve(result as T)))
    }).finally(() => {
      clearTimeout(timer)
      failed = undefined
    })
}

/** A session whose socket is nodemailer's while nothing is sent, so that it sees when the server ends it, and ours during a message. */
interface SharedSession {
  socket: Socket
  extensions: Extensions
  during<T>(maxMs: number, work: (session: Session) => Promise<T>, progress: Progress): Promise<T>
}

function shareSession(smtp: SMTPConnection, extensions: Extensions): SharedSession {
  const socket = smtp._socket
  if (!socket) throw smtpError('The connection is closed', 'ECONNECTION', 'API')
  const idleListeners = socket.listeners('data')
  let current: Replies | undefined
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (current) current.read(chunk)
    else for (const listener of idleListeners) listener(chunk)
  })
  smtp.on('error', (error: Error) => current?.fail(error))
  smtp.on('end', () => current?.fail(smtpError('Connection closed unexpectedly', 'ECONNECTION', 'CONN')))

  return {
    socket,
    extensions,
    async during(maxMs, work, progress) {
      const replies = createReplies(() => giveUp(new Error('The mail server does not end its answer')))
      const giveUp = (error: Error): void => {
        replies.fail(error)
        smtp.close()
      }
      const timer = setTimeout(() => giveUp(tookTooLong(maxMs)), maxMs)
      const own = { socket, replies, extensions }
      current = replies
      try {
        return await work(own)
      } catch (error) {
        if (!mayStay(error as SmtpError, progress) || !(await isReset(own))) smtp.close()
        throw error
      } finally {
        clearTimeout(timer)
        current = undefined
        // What nobody asked for: the session is out of step, or the server is closing it.
        if (!replies.isEmpty()) smtp.close()
      }
    },
  }
}

// After a refused message the session is reset, unless the server is closing it (421, RFC 5321, 3.8), has answered before it had
// the whole content, so that it would take the rest for commands, or has written what is no answer.
function mayStay({ responseCode = 0 }: SmtpError, { contentBegun, contentEnded }: Progress): boolean {
  return responseCode >= 400 && responseCode !== 421 && (!contentBegun || contentEnded)
}
