import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import { ConfigError } from '../config.ts'
import { networkOf } from '../networks.ts'
import type { Certificate } from './certificate.ts'
import { createSessions, type Sessions, type SessionsPlan } from './sessions.ts'

/** A message of a client network, with the recipients that were accepted. */
export interface ReceivedMessage {
  to: string[]
  /** Its beginning, as much as is kept. */
  raw: Buffer
  sender: string
  /** Aborted when its session has ended: then nobody waits for the answer, and a sender that was not answered sends it again. */
  ended?: AbortSignal | undefined
}

/** What mail is received for, and within which limits. */
export interface ReceiverPlan extends SessionsPlan {
  host: string
  port: number
  /** The name it greets with. */
  name: string
  maxBytes: number
  /** How much of a message is kept, and passed on: its beginning. The rest is read so that its sender reads the answer. */
  keptBytes: number
  /** With what senders may encrypt their connection (STARTTLS, RFC 3207); without it they cannot. */
  tls?: Certificate | undefined
  /** Whether there is such a recipient; others are refused before their message is read. */
  accepts(address: string): boolean
  /** Handles a message of a client network, which is answered for then: when this fails, its sender is asked to send it again. */
  receive(message: ReceivedMessage): Promise<void>
  /** Reports an error that is not the sender's. */
  report(error: unknown): void
}

/** An open port that receives mail. */
export interface Receiver {
  port: number
  /** Uses another certificate from the next connection on; only where there was one at the beginning. */
  renew(tls: Certificate): void
  /** Takes no more mail, and waits up to 2 s for what is under way. */
  close(): Promise<void>
}

const idleMs = 60_000
const closeMs = 2_000
const maxRecipients = 10
const maxReadFactor = 8
// RFC 5321 has 512 octets (4.5.3.1.4), and extensions of MAIL and RCPT some more.
const maxCommandLength = 2_048

/** Receives mail over SMTP (RFC 5321), without a login. Throws ConfigError when the port cannot be used. */
export async function receiveMail(plan: ReceiverPlan): Promise<Receiver> {
  const sessions = createSessions(plan, (id, text) => sayLast(server, id, text))
  const server = new GuardedServer(sessions, {
    name: plan.name,
    size: plan.maxBytes,
    maxCommandLength,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    authOptional: true,
    disabledCommands: ['AUTH', ...(plan.tls ? [] : ['STARTTLS'])],
    ...plan.tls,
    disableReverseLookup: true,
    ...handlersOf(plan, sessions),
  })
  await listening(server, plan)
  // A sender that ends its connection in the middle is no error of ours.
  server.on('error', () => undefined)
  const { port } = server.server.address() as AddressInfo
  return { port, renew: (tls) => server.updateSecureContext(tls), close: () => new Promise((resolve) => server.close(() => resolve())) }
}

type Handlers = Pick<SMTPServerOptions, 'onSecure' | 'onClose' | 'onMailFrom' | 'onRcptTo' | 'onData'>

function handlersOf(plan: ReceiverPlan, sessions: Sessions): Handlers {
  return {
    onSecure(socket, { id }, done) {
      sessions.secure(id, socket)
      done()
    },
    onClose: ({ id }) => sessions.close(id),
    onMailFrom(_sender, { id }, done) {
      // Later, because smtp-server would lose a message that it begins while it goes on after the one before it.
      if (sessions.count(id, 'message')) setImmediate(done)
    },
    onRcptTo({ address }, { id, envelope }, done) {
      if (plan.accepts(address)) {
        sessions.prove(id)
        return done(envelope.rcptTo.length < maxRecipients ? null : refusal(452, '4.5.3 Too many recipients'))
      }
      if (sessions.count(id, 'refusal')) done(refusal(550, '5.1.1 There is no such mailbox here'))
    },
    onData(stream, { id, envelope, remoteAddress }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      const ended = sessions.endOf(id)
      const answer = answerTo(plan, stream, { to, sender: networkOf(remoteAddress), ended }, () => sessions.cutOff(id))
      sessions.handle(id, answer)
      void answer.then((error) => {
        if (error === null) sessions.accept(id)
        done(error)
      })
    },
  }
}

function listening(server: SMTPServer, { host, port }: ReceiverPlan): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }: Error) => reject(new ConfigError(`BOUNCE_PORT: ${port} of ${host} cannot be used: ${message}`)))
    server.listen(port, host, () => resolve())
  })
}

// smtp-server counts a connection from its arrival on, and asks whether it wants it 100 ms later: whoever connects quickly would have
// all of its places. So each is asked about here, and what is refused never reaches it. Nor does what a session sends too much of.
class GuardedServer extends SMTPServer {
  readonly #sessions: Sessions

  constructor(sessions: Sessions, options: SMTPServerOptions) {
    super(options)
    this.#sessions = sessions
  }

  override connect(socket: Socket, options: { id: string }): void {
    const refused = this.#sessions.open(options.id, socket)
    if (refused === null) this.#begin(socket, options)
    else refuse(socket, refused)
  }

  #begin(socket: Socket, options: { id: string }): void {
    super.connect(socket, options)
    const connection = connectionOf(this, options.id)
    if (connection) countInput(connection, this.#sessions)
  }
}

type Connection = SMTPServer['connections'] extends Set<infer Element> ? Element : never
type Parser = Exclude<Connection['_parser'], false>

function connectionOf(server: SMTPServer, id: string): Connection | undefined {
  for (const connection of server.connections) if (connection.id === id) return connection
}

// One read may hold ten thousand commands, or lines that begin with a dot, all of which smtp-server would handle. A session that is
// ended here ignores the rest of what was read.
function countInput(connection: Connection, sessions: Sessions): void {
  const { id } = connection
  const handle = connection._onCommand.bind(connection)
  connection._onCommand = (command, next) => (sessions.count(id, 'command') ? handle(command, next) : next?.())
  const guarded = (parser: Parser): Parser => {
    const write = parser.write.bind(parser)
    parser.write = (piece: Buffer) => {
      sessions.count(id, 'piece')
      countDottedLines(piece, () => sessions.count(id, 'dottedLine'))
      return write(piece)
    }
    return parser
  }
  // After STARTTLS it has another one.
  const createParser = connection._createParser.bind(connection)
  connection._createParser = () => guarded(createParser())
  if (connection._parser) guarded(connection._parser)
}

const dottedLine = Buffer.from('\n.')

function countDottedLines(piece: Buffer, count: () => boolean): void {
  let at = piece.indexOf(dottedLine)
  while (at !== -1 && count()) at = piece.indexOf(dottedLine, at + dottedLine.length)
}

function refuse(socket: Socket, text: string): void {
  socket.on('error', () => undefined)
  socket.write(`421 ${text}\r\n`)
  socket.destroySoon()
}

function sayLast(server: SMTPServer, id: string, text: string): void {
  connectionOf(server, id)?.send(421, text)
}

async function answerTo(
  plan: ReceiverPlan,
  stream: SMTPServerDataStream,
  message: Omit<ReceivedMessage, 'raw'>,
  cutOff: () => void,
): Promise<Error | null> {
  let raw: Buffer | null
  try {
    raw = await read(plan, stream, cutOff)
  } catch {
    // Its sender has left or was cut off, which is no error of ours.
    return unhandled()
  }
  if (raw === null) return refusal(552, '5.3.4 The message is too large')
  try {
    await plan.receive({ ...message, raw })
    return null
  } catch (error) {
    if (!message.ended?.aborted) plan.report(error)
    return unhandled()
  }
}

// The beginning of a message; null for one that is too large, which is read to its end only so that its sender reads the answer.
async function read({ maxBytes, keptBytes }: ReceiverPlan, stream: SMTPServerDataStream, cutOff: () => void): Promise<Buffer | null> {
  let beginning = Buffer.alloc(0)
  let kept = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    // Copied: a piece holds all that came with it.
    if (kept + piece.length > beginning.length && beginning.length < keptBytes) {
      const longer = Buffer.alloc(Math.min(keptBytes, Math.max(2 * beginning.length, kept + piece.length)))
      beginning.copy(longer)
      beginning = longer
    }
    kept += piece.copy(beginning, kept)
    if (stream.byteLength > maxReadFactor * maxBytes) {
      cutOff()
      throw new Error('The session was cut off')
    }
  }
  return stream.sizeExceeded ? null : beginning.subarray(0, kept)
}

function unhandled(): Error {
  return refusal(451, '4.3.0 The message could not be handled now')
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
