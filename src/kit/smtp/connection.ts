import type { Socket } from 'node:net'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Progress, SmtpMessage } from './message.ts'
import type { Poolable } from './pool/pool.ts'
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
  withheld,
} from './transaction.ts'
import { abandoned, begin, tookTooLong, type Underway } from './underway.ts'

/** Timeouts of an SMTP session in milliseconds; `answerMs` limits the wait for each answer of the server. */
export interface SmtpTimeouts {
  connectMs: number
  greetingMs: number
  /** Connecting with all answers until the server can be used, and logging in, may each take so long. */
  openMs: number
  answerMs: number
  /** An unused connection is closed after this. */
  idleMs: number
  /** A message that takes longer leaves its place to others. */
  slowMs: number
  /** A message that takes longer fails while others wait for its place. */
  patienceMs: number
}

/** How sessions are made: their timeouts, and a signal that ends them. */
export interface SessionPlan extends SmtpTimeouts {
  /**
   * Aborted when this process begins to end: what is under way then does not wait for a server that does not answer. A message
   * whose content has not left completely is withheld at once; after one that has, the answer is awaited for 3 s.
   */
  closing?: AbortSignal | undefined
}

/** One SMTP session. */
export interface Connection extends Poolable {
  ready: boolean
  /** Messages sent over this connection. */
  sent: number
  /** Connects and logs in. Throws SmtpError. */
  open(): Promise<void>
  /**
   * Sends one message; afterwards the session can be used again, or is dead. Throws SmtpError. A second one may be sent meanwhile: it
   * follows the content of the first without waiting for the answer to it, where the server offers pipelining.
   */
  send(message: SmtpMessage, progress: Progress): Promise<Accepted>
}

/**
 * An SMTP session with a server (RFC 5321), not opened yet. It uses pipelining (RFC 2920) and STARTTLS where the server offers
 * them, TLS with smtps://, and nodemailer's URL parameters such as `?tls.rejectUnauthorized=false`.
 */
export function createConnection(url: string, { closing, ...timeouts }: SessionPlan): Connection {
  const options = parseConnectionUrl(url)
  const smtp = new SMTPConnection({
    ...options,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.answerMs,
    socketCloseTimeout: 1_000,
  })
  boundLines(smtp)
  const promised = promisesOf(smtp, timeouts.openMs, closing)
  let session: SharedSession | undefined
  const connection: Connection = {
    ready: false,
    sent: 0,
    dead: () => isClosed(smtp, session) || (!connection.ready && smtp.stage !== 'init'),
    // A server that ends the session after each message would end that of the next one, too.
    takesNext: () => connection.sent > 0 && !isClosed(smtp, session) && session?.extensions.pipelining === true && !session.endsNext(),
    async open() {
      requireOpen(closing)
      await promised<void>((done) => smtp.connect(done))
      // The reply to EHLO, until another one comes.
      const extensions = extensionsOf(smtp.lastServerResponse || '')
      if (options.auth && smtp.allowsAuth) await promised((done) => smtp.login(options.auth ?? {}, done))
      session = shareSession(smtp, extensions, closing)
      connection.ready = true
    },
    async send(message, progress) {
      requireOpen(closing)
      if (!session || isClosed(smtp, session)) throw smtpError('The connection is closed', 'ECONNECTION', 'API')
      requireSendable(session.extensions, message)
      const accepted = await session.during(timeouts.answerMs * maxAnswers, (own) => sendMessage(own, message, progress), progress)
      connection.sent++
      return accepted
    },
    end: () => (smtp.destroyed ? undefined : connection.ready && !isClosed(smtp, session) ? quit(smtp) : smtp.close()),
  }
  return connection
}

// Of a greeting, extensions and a login, and of what is written while nothing is sent.
const maxLines = 1_000

// nodemailer takes each empty line in a turn of its own, from the front of a list of all of them: a server that writes megabytes of line
// breaks would keep this process busy for hours, also after the session has ended.
function boundLines(smtp: SMTPConnection): void {
  const reader = smtp as unknown as Reader
  const read = reader._onData.bind(smtp)
  let lines = 0
  reader._onData = (chunk) => {
    for (let at = chunk.indexOf(lineFeed); at !== -1 && lines <= maxLines; at = chunk.indexOf(lineFeed, at + 1)) lines++
    if (lines > maxLines) reader._onResponseTooLarge()
    else read(chunk)
  }
}

/** What nodemailer reads with, and how it ends a session that writes too much: not in its types, so that a test holds it to them. */
interface Reader {
  _onData(chunk: Buffer): void
  _onResponseTooLarge(): void
}

const lineFeed = 0x0a

// nodemailer notices a moment later that the server has closed a session.
function isClosed(smtp: SMTPConnection, session: SharedSession | undefined): boolean {
  return smtp.destroyed || session?.socket.writable === false
}

/** The step of a session that a failure of `send` belongs to. */
export function phaseOf({ command = '', code }: SmtpError, contentBegun: boolean): Phase {
  if (command === 'RCPT TO') return 'rcpt'
  if (command === 'DATA') return code === 'EMESSAGE' ? 'content' : 'data'
  return contentBegun ? 'content' : 'mail'
}

// What is not used any more holds no connection of the server, be it that QUIT is never answered.
function quit(smtp: SMTPConnection): void {
  smtp.quit()
  setTimeout(() => smtp.close(), quitMs).unref()
}

const quitMs = 1_000

// A message takes this many answers, and a large one may take minutes to be written.
const maxAnswers = 5

function requireOpen(closing: AbortSignal | undefined): void {
  if (closing?.aborted) throw abandoned()
}

type Promised = <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) => Promise<T>

// Makes promises of calls with a callback that also fail when the connection is lost. Without a listener for its errors a
// lost connection would end the process. Whatever takes longer than `maxMs` ends it: a server that answers bit by bit would
// hold it for ever. So does the end of this process.
function promisesOf(connection: SMTPConnection, maxMs: number, closing: AbortSignal | undefined): Promised {
  let failed: ((error: Error) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const giveUp = (error: Error): void => {
    connection.close()
    failed?.(error)
  }
  const abandon = (): void => giveUp(abandoned())
  connection.on('error', (error: Error) => failed?.(error))
  return <T>(start: (done: (error: Error | null | undefined, result?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      failed = reject
      timer = setTimeout(() => giveUp(tookTooLong(maxMs)), maxMs)
      closing?.addEventListener('abort', abandon)
      start((error, result) => (error ? reject(error) : resolve(result as T)))
    }).finally(() => {
      clearTimeout(timer)
      closing?.removeEventListener('abort', abandon)
      failed = undefined
    })
}

/** A session whose socket is nodemailer's while nothing is sent, so that it sees when the server ends it, and ours during messages. */
interface SharedSession {
  socket: Socket
  extensions: Extensions
  /** Whether it ends with the message under way, as the one behind that one was withdrawn after its commands had left. */
  endsNext(): boolean
  during<T>(maxMs: number, work: (session: Session) => Promise<T>, progress: Progress): Promise<T>
}

function shareSession(smtp: SMTPConnection, extensions: Extensions, closing: AbortSignal | undefined): SharedSession {
  const socket = smtp._socket
  if (!socket) throw smtpError('The connection is closed', 'ECONNECTION', 'API')
  const idleListeners = socket.listeners('data')
  // In the order in which they are sent.
  const underway = new Set<Underway>()
  let replies: Replies | undefined
  let endsNext = false
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer<ArrayBuffer>) => {
    if (replies) replies.read(chunk)
    else for (const listener of idleListeners) listener(chunk)
  })
  smtp.on('error', (error: Error) => replies?.fail(error))
  smtp.on('end', () => replies?.fail(smtpError('Connection closed unexpectedly', 'ECONNECTION', 'CONN')))
  // Once per session and not per message, of which each would pay for it.
  const abandon = (): void => {
    for (const message of underway) message.abandon()
  }
  closing?.addEventListener('abort', abandon)
  smtp.once('end', () => closing?.removeEventListener('abort', abandon))

  function giveUp(error: Error): void {
    replies?.fail(error)
    smtp.close()
  }

  // It says nothing about a message that the session has ended with the one before it.
  async function passed(message: Underway, before: Promise<void>): Promise<void> {
    await message.follow(before)
    if (smtp.destroyed) throw smtpError('The session ended before this message', withheld, 'API')
  }

  // Once its content was taken, the answer to a message ends its transaction (RFC 5321, 4.1.1.4): the commands behind it stand.
  function isFollowed(message: Underway, { contentEnded }: Progress): boolean {
    return contentEnded && [...underway].at(-1) !== message
  }

  return {
    socket,
    extensions,
    endsNext: () => endsNext,
    async during(maxMs, work, progress) {
      const before = [...underway].at(-1)
      replies ??= createReplies(() => giveUp(new Error('The mail server does not end its answer')))
      const own: Session = { socket, replies, extensions, turn }
      const message = begin({ socket, maxMs, progress, giveUp })
      let begun = false
      underway.add(message)
      async function turn(): Promise<void> {
        begun = extensions.pipelining
        if (before) await passed(message, before.over)
        message.watch()
      }
      try {
        if (before) await passed(message, extensions.pipelining ? before.written : before.over)
        return await work(own)
      } catch (error) {
        if (message.hasLeft()) {
          // The replies to its commands come behind those to the message before it, which goes on.
          endsNext ||= begun
          throw error
        }
        const goesOn = !endsNext && mayStay(error as SmtpError, progress) && (isFollowed(message, progress) || (await isReset(own)))
        if (!goesOn) smtp.close()
        throw error
      } finally {
        underway.delete(message)
        if (underway.size === 0) {
          // What nobody asked for: the session is out of step, or the server is closing it.
          if (endsNext || !own.replies.isEmpty()) smtp.close()
          replies = undefined
        }
        message.end()
      }
    },
  }
}

// After a refused message the session is reset, unless the server is closing it (421, RFC 5321, 3.8), has answered before it had
// the whole content, so that it would take the rest for commands, or has written what is no answer.
function mayStay({ responseCode = 0 }: SmtpError, { contentBegun, contentEnded }: Progress): boolean {
  return responseCode >= 400 && responseCode !== 421 && (!contentBegun || contentEnded)
}
