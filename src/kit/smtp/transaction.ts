// Our own code and not nodemailer's `send`, because every email pays for it: nodemailer looks at every octet again and writes in
// many small pieces. Measured in turns, it took 60 to 250 µs more CPU per email. Connecting, TLS and logging in stay nodemailer's.
import type { Socket } from 'node:net'
import { type Progress, type SmtpMessage, sizeOf, wireSlices } from './message.ts'
import type { Replies } from './replies.ts'

/** What a server offers (EHLO, RFC 5321, 4.1.1.1), as far as it is used. */
export interface Extensions {
  /** Commands may be sent without waiting for the replies (RFC 2920). */
  pipelining: boolean
  /** Addresses may have characters beyond ASCII (RFC 6531). */
  smtpUtf8: boolean
  /** Sizes are announced (RFC 1870); `maxSize` is 0 when there is no limit. */
  size: boolean
  maxSize: number
}

/** A session that is ready for messages. */
export interface Session {
  socket: Socket
  replies: Replies
  extensions: Extensions
  /** Resolves when the next reply is of this message: those of the message before it, if it follows one, have been read. */
  turn(): Promise<void>
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

/** Reads what a server offers from its reply to EHLO. */
export function extensionsOf(reply: string): Extensions {
  const offers = (name: string): boolean => new RegExp(`^250[ -]${name}\\b`, 'im').test(reply)
  const maxSize = Number(/^250[ -]SIZE[ \t]+(\d+)/im.exec(reply)?.[1] ?? 0)
  return { pipelining: offers('PIPELINING'), smtpUtf8: offers('SMTPUTF8'), size: offers('SIZE'), maxSize }
}

/** Throws SmtpError without a response code when a message cannot be sent to a server: EENVELOPE for its addresses, EMESSAGE for its size. */
export function requireSendable({ maxSize }: Extensions, { from, to, pieces }: SmtpMessage): void {
  // A line break would begin another command.
  for (const address of [from, ...to])
    if (/[\r\n<>]/.test(address)) throw smtpError(`Invalid address ${JSON.stringify(address)}`, 'EENVELOPE', 'API')
  if (to.length === 0 || to.includes('')) throw smtpError('No recipients defined', 'EENVELOPE', 'API')
  if (maxSize > 0 && sizeOf(pieces) > maxSize) throw smtpError(`Message size larger than allowed ${maxSize}`, 'EMESSAGE', 'MAIL FROM')
}

/** The code of the SmtpError of a message whose gate was closed. */
export const withheld = 'EWITHHELD'

/** Sends one message that `requireSendable` has found sendable (RFC 5321, 3.3). Throws SmtpError. */
export async function sendMessage(session: Session, message: SmtpMessage, progress: Progress): Promise<Accepted> {
  const refused = await openTransaction(session, commandsOf(session.extensions, message), message)
  const response = await sendContent(session, message, progress)
  if (!response.startsWith('2')) throw smtpError('Message failed', 'EMESSAGE', 'DATA', response)
  return refused.length > 0 ? { response, rejectedErrors: refused } : { response }
}

/** Resets a session after a refused message (RSET). Returns whether it can be used again. */
export async function isReset({ socket, replies }: Session): Promise<boolean> {
  socket.write('RSET\r\n')
  return replies.next().then(
    (reply) => reply.startsWith('2'),
    () => false,
  )
}

/** An error of a session, as nodemailer makes them. */
export function smtpError(message: string, code: string, command: string, response?: string): SmtpError {
  const responseCode = Number(/^\d{3}/.exec(response ?? '')?.[0])
  return Object.assign(new Error(response === undefined ? message : `${message}: ${response}`), {
    code,
    command,
    ...(response !== undefined && { response }),
    ...(responseCode && { responseCode }),
  })
}

interface Commands {
  mail: string
  recipients: string[]
}

function commandsOf({ smtpUtf8, size }: Extensions, { from, to, pieces }: SmtpMessage): Commands {
  const isAscii = [from, ...to].every((address) => /^\p{ASCII}*$/u.test(address))
  return {
    mail: `MAIL FROM:<${from}>${smtpUtf8 && !isAscii ? ' SMTPUTF8' : ''}${size ? ` SIZE=${sizeOf(pieces)}` : ''}\r\n`,
    recipients: to.map((address) => `RCPT TO:<${address}>\r\n`),
  }
}

const data = 'DATA\r\n'

// MAIL, RCPT and DATA: returns the refusals of some addresses, and throws when the message is refused, or every address, or the first one,
// which is its recipient, for a while: then those who get a copy are not sent it either, so that all of it can be tried again.
async function openTransaction(session: Session, { mail, recipients }: Commands, { to, onlyCopies }: SmtpMessage): Promise<SmtpError[]> {
  const { socket, replies, extensions, turn } = session
  // Without pipelining each command waits for the reply to the one before.
  const write = (command: string): unknown => !extensions.pipelining && socket.write(command)
  // With several recipients it depends on what is said of them.
  const isAhead = extensions.pipelining && recipients.length === 1
  if (extensions.pipelining) socket.write(mail + recipients.join('') + (isAhead ? data : ''))
  await turn()
  write(mail)
  const mailError = refusal(await envelopeReply(replies, 'MAIL FROM'), 'Mail command failed', 'MAIL FROM')
  if (mailError && !extensions.pipelining) throw mailError
  const refused: SmtpError[] = []
  for (const [at, recipient] of recipients.entries()) {
    write(recipient)
    const error = refusal(await envelopeReply(replies, 'RCPT TO'), 'Recipient command failed', 'RCPT TO')
    if (error) refused.push(Object.assign(error, { recipient: to[at] ?? '' }))
  }
  const error = mailError ?? (refused.length === to.length ? allRefused(refused) : onlyCopies ? undefined : putOff(refused, to[0]))
  if (error && !isAhead) throw error
  if (!isAhead) socket.write(data)
  const reply = await envelopeReply(replies, 'DATA')
  // Some servers answer DATA with 250.
  const asked = /^[23]/.test(reply)
  if (error && asked) await endRefused(session, mailError)
  if (error) throw error
  if (!asked) throw smtpError('Data command failed', 'EENVELOPE', 'DATA', reply)
  return refused
}

// A server that asks for the content although it has refused all addresses gets an empty one. After it has refused the sender,
// there is no message that could be ended.
async function endRefused({ socket, replies }: Session, mailError: SmtpError | undefined): Promise<void> {
  if (mailError) return void socket.destroy()
  socket.write('.\r\n')
  await nextReply(replies)
}

function refusal(reply: string, message: string, command: string): SmtpError | undefined {
  return reply.startsWith('2') ? undefined : smtpError(message, 'EENVELOPE', command, reply)
}

// A temporary refusal first, so that a message is not given up while some addresses may be accepted later.
function allRefused(refused: SmtpError[]): SmtpError {
  const decisive = refused.find(({ responseCode = 0 }) => responseCode < 500) ?? refused.at(-1)
  return Object.assign(smtpError("Can't send mail - all recipients were rejected", 'EENVELOPE', 'RCPT TO', decisive?.response), {
    rejectedErrors: refused,
  })
}

function putOff(refused: SmtpError[], recipient: string | undefined): SmtpError | undefined {
  const own = refused.find((error) => error.recipient === recipient)
  return own && (own.responseCode ?? 0) < 500 ? Object.assign(own, { rejectedErrors: refused }) : undefined
}

// After 421 no other replies come, whatever was sent with the command (RFC 5321, 3.8).
async function envelopeReply(replies: Replies, command: string): Promise<string> {
  const reply = await nextReply(replies)
  if (reply.startsWith('421')) throw smtpError('Server closed the connection', 'ECONNECTION', command, reply)
  return reply
}

// What is no reply at all (RFC 5321, 4.2.1) says nothing about the message.
async function nextReply(replies: Replies): Promise<string> {
  const reply = await replies.next()
  if (/^[2-5]\d\d(?:[ -]|$)/.test(reply)) return reply
  throw smtpError('Unexpected Response', 'EPROTOCOL', 'CONN')
}

// Writes no faster than the connection takes it, and stops when the server answers before the end. Each write is preceded by a
// look at the gate, and after the final dot nothing can be taken back: a process that is stopped between that look and the last
// write, or while the connection has not taken the last octets yet, sends a message although its claim may end meanwhile.
async function sendContent({ socket, replies }: Session, message: SmtpMessage, progress: Progress): Promise<string> {
  const { gate } = progress
  if (!(await gate.opens())) throw cut(socket)
  progress.contentBegun = true
  const content = lookingAhead(wireSlices(message))
  while (!progress.contentEnded && !replies.ready()) {
    if (!gate.holds()) throw cut(socket)
    if (writeSlices(socket, content)) endContent(progress)
    else await drained(socket, replies)
  }
  const reply = await nextReply(replies)
  if (!progress.contentEnded && reply.startsWith('2')) throw smtpError('Unexpected Response', 'EPROTOCOL', 'DATA')
  return reply
}

// A message without its end is none (RFC 5321, 4.1.1.4).
function cut(socket: Socket): SmtpError {
  socket.destroy()
  return smtpError('The message was withheld', withheld, 'DATA')
}

function endContent(progress: Progress): void {
  progress.contentEnded = true
  progress.onContentEnd?.()
}

// Together, so that a small message is one write, with the commands of the message that follows it. Returns whether all were
// written, be it that the connection is full by the last.
function writeSlices(socket: Socket, content: Slices): boolean {
  socket.cork()
  process.nextTick(() => socket.uncork())
  for (let slice = content.take(); slice; slice = content.take()) if (!socket.write(slice)) return content.isTaken()
  return true
}

interface Slices {
  take(): Uint8Array | undefined
  /** Whether there is none left. */
  isTaken(): boolean
}

function lookingAhead(slices: Generator<Uint8Array, void>): Slices {
  let next = slices.next()
  return {
    take() {
      const { value } = next
      if (!next.done) next = slices.next()
      return value ?? undefined
    },
    isTaken: () => next.done === true,
  }
}

async function drained(socket: Socket, replies: Replies): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('drain', resolve)
    replies.whenReady(() => {
      socket.off('drain', resolve)
      resolve()
    })
  })
  replies.whenReady(undefined)
}
