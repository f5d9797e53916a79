import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import { ConfigError } from '../config.ts'
import { networkOf } from '../networks.ts'
import type { Certificate } from './certificate.ts'
import { createPlaces, type Place } from './places.ts'

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
export interface ReceiverPlan {
  host: string
  port: number
  /** The name it greets with. */
  name: string
  maxBytes: number
  /** How much of a message is kept, and passed on: its beginning. The rest is read so that its sender reads the answer. */
  keptBytes: number
  /** How many connections there are; see `createPlaces` for who gives way when all are taken. A session is proven by its first accepted recipient. */
  maxConnections: number
  /** How long a session may last in which no recipient was accepted. */
  unprovenMs: number
  /** With what senders may encrypt their connection (STARTTLS, RFC 3207); without it they cannot. */
  tls?: Certificate | undefined
  /** Of one client address (IPv6: of one /64 network). */
  maxPerAddress: number
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
// A client that only keeps its connection would have a place for ever.
const sessionMs = 300_000
const closeMs = 2_000
const maxRecipients = 10
const maxReadFactor = 8
// smtp-server passes each line that begins with two dots on as a piece of its own, at 4 µs of the thread. Mail comes in pieces of
// kilobytes; a session of very many is no mail, and its network waits for the place that it had.
const maxPieces = 10_000
const penaltyMs = 10_000

/** Receives mail over SMTP (RFC 5321), without a login. Throws ConfigError when the port cannot be used. */
export async function receiveMail(plan: ReceiverPlan): Promise<Receiver> {
  const sessions = createSessions(plan, (id, text) => sayLast(server, id, text))
  const server = new GuardedServer(sessions, {
    name: plan.name,
    size: plan.maxBytes,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    authOptional: true,
    disabledCommands: ['AUTH', ...(plan.tls ? [] : ['STARTTLS'])],
    ...plan.tls,
    disableReverseLookup: true,
    onSecure(socket, { id }, done) {
      sessions.secure(id, socket)
      done()
    },
    onClose: ({ id }) => sessions.close(id),
    onRcptTo({ address }, { id, envelope }, done) {
      if (!plan.accepts(address)) return done(refusal(550, '5.1.1 There is no such mailbox here'))
      sessions.prove(id)
      done(envelope.rcptTo.length < maxRecipients ? null : refusal(452, '4.5.3 Too many recipients'))
    },
    onData(stream, { id, envelope, remoteAddress }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      const ended = sessions.endOf(id)
      const reading = { takePiece: () => sessions.takePiece(id), cutOff: () => sessions.cutOff(id) }
      const answer = answerTo(plan, stream, { to, sender: networkOf(remoteAddress), ended }, reading)
      sessions.handle(id, answer)
      void answer.then(done)
    },
  })
  await listening(server, plan)
  // A sender that ends its connection in the middle is no error of ours.
  server.on('error', () => undefined)
  const { port } = server.server.address() as AddressInfo
  return { port, renew: (tls) => server.updateSecureContext(tls), close: () => new Promise((resolve) => server.close(() => resolve())) }
}

function listening(server: SMTPServer, { host, port }: ReceiverPlan): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }: Error) => reject(new ConfigError(`BOUNCE_PORT: ${port} of ${host} cannot be used: ${message}`)))
    server.listen(port, host, () => resolve())
  })
}

// smtp-server counts a connection from its arrival on, and asks whether it wants it 100 ms later: whoever connects quickly would have
// all of its places. So each is asked about here, and what is refused never reaches it.
class GuardedServer extends SMTPServer {
  readonly #sessions: Sessions

  constructor(sessions: Sessions, options: SMTPServerOptions) {
    super(options)
    this.#sessions = sessions
  }

  override connect(socket: Socket, options: { id: string }): void {
    // A client that has left already has no address.
    const refused = socket.remoteAddress === undefined ? noPlace : this.#sessions.open(options.id, socket)
    if (refused === null) super.connect(socket, options)
    else refuse(socket, refused)
  }
}

function refuse(socket: Socket, text: string): void {
  socket.on('error', () => undefined)
  socket.write(`421 ${text}\r\n`)
  socket.destroySoon()
}

interface Open {
  socket: Socket
  place: Place
  ended: AbortController
  /** The pieces that its messages came in. */
  pieces: number
  isCutOff: boolean
  /** Resolves when its last message has been handled, be it that it has ended meanwhile. */
  handled: Promise<unknown>
  /** Ends it when it has shown no recipient in time. */
  unproven: NodeJS.Timeout
  /** Ends it in any case. */
  last: NodeJS.Timeout
}

type Sessions = ReturnType<typeof createSessions>

// The sessions by their id, each with its place. `say` sends a last answer to one.
function createSessions({ maxConnections, maxPerAddress, unprovenMs }: ReceiverPlan, say: (id: string, text: string) => void) {
  const places = createPlaces({ max: maxConnections, maxPerNetwork: maxPerAddress })
  const open = new Map<string, Open>()

  // Its place is taken by another: a client that does not end its side may not have a connection beyond that.
  function giveWay(id: string): void {
    say(id, noPlace)
    open.get(id)?.socket.destroySoon()
  }

  return {
    /** Ends a session that takes too much; its place stays taken for a while. */
    cutOff(id: string): void {
      const session = open.get(id)
      if (session) session.isCutOff = true
      say(id, tooLong)
    },
    /** Counts a piece of a message; false as soon as the session has had too many. */
    takePiece(id: string): boolean {
      const session = open.get(id)
      return session !== undefined && ++session.pieces <= maxPieces
    },
    /** Begins a session; otherwise why not. */
    open(id: string, socket: Socket): string | null {
      const entered = places.enter(socket.remoteAddress ?? '', () => giveWay(id))
      if (entered.kind !== 'entered') return entered.kind === 'full' ? noPlace : crowded
      open.set(id, {
        socket,
        place: entered.place,
        ended: new AbortController(),
        pieces: 0,
        isCutOff: false,
        handled: Promise.resolve(),
        unproven: setTimeout(() => say(id, tooLong), unprovenMs),
        last: setTimeout(() => say(id, tooLong), sessionMs),
      })
      return null
    },
    /** Its connection is encrypted from now on. */
    secure(id: string, socket: Socket): void {
      const session = open.get(id)
      if (session) session.socket = socket
    },
    /** A recipient of it was accepted. */
    prove(id: string): void {
      open.get(id)?.place.prove()
      clearTimeout(open.get(id)?.unproven)
    },
    /** A message of it is being handled: its place is not free before that has ended. */
    handle(id: string, answer: Promise<unknown>): void {
      const session = open.get(id)
      if (session) session.handled = answer
    },
    /** Aborted when the session has ended. */
    endOf: (id: string): AbortSignal | undefined => open.get(id)?.ended.signal,
    close(id: string): void {
      const session = open.get(id)
      if (!session) return
      open.delete(id)
      clearTimeout(session.unproven)
      clearTimeout(session.last)
      session.ended.abort()
      const { handled, isCutOff, place } = session
      void handled.then(() => (isCutOff ? setTimeout(place.leave, penaltyMs).unref() : place.leave()))
    },
  }
}

const crowded = '4.7.0 Too many connections of this address'
const noPlace = '4.3.2 Too many connections at the moment'
const tooLong = '4.4.2 This session takes too much'

function sayLast(server: SMTPServer, id: string, text: string): void {
  for (const connection of server.connections) if (connection.id === id) connection.send(421, text)
}

async function answerTo(
  plan: ReceiverPlan,
  stream: SMTPServerDataStream,
  message: Omit<ReceivedMessage, 'raw'>,
  reading: Reading,
): Promise<Error | null> {
  let raw: Buffer | null
  try {
    raw = await read(plan, stream, reading)
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

/** Of the session that a message is read from. */
interface Reading {
  takePiece(): boolean
  cutOff(): void
}

// The beginning of a message; null for one that is too large, which is read to its end only so that its sender reads the answer.
async function read(plan: ReceiverPlan, stream: SMTPServerDataStream, { takePiece, cutOff }: Reading): Promise<Buffer | null> {
  const { maxBytes, keptBytes } = plan
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
    const isLong = stream.sizeExceeded && stream.byteLength > maxReadFactor * maxBytes
    if (isLong || !takePiece()) {
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
