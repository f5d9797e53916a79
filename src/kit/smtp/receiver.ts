import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { ConfigError } from '../config.ts'
import { networkOf } from '../networks.ts'
import type { Certificate } from './certificate.ts'

/** A message of a client network, with the recipients that were accepted. */
export interface ReceivedMessage {
  to: string[]
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
  maxConnections: number
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

/** Receives mail over SMTP (RFC 5321), without a login. Throws ConfigError when the port cannot be used. */
export async function receiveMail(plan: ReceiverPlan): Promise<Receiver> {
  const sessions = createSessions(plan.maxPerAddress, (id) => closeSession(server, id))
  const server = new SMTPServer({
    name: plan.name,
    size: plan.maxBytes,
    maxClients: plan.maxConnections,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    authOptional: true,
    disabledCommands: ['AUTH', ...(plan.tls ? [] : ['STARTTLS'])],
    ...plan.tls,
    disableReverseLookup: true,
    onConnect: (session, done) => done(sessions.open(session) ? null : refusal(421, '4.7.0 Too many connections of this address')),
    onClose: (session) => sessions.close(session),
    onRcptTo({ address }, { envelope }, done) {
      if (!plan.accepts(address)) return done(refusal(550, '5.1.1 There is no such mailbox here'))
      done(envelope.rcptTo.length < maxRecipients ? null : refusal(452, '4.5.3 Too many recipients'))
    },
    onData(stream, { id, envelope, remoteAddress }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      const ended = sessions.endOf({ id, remoteAddress })
      void answerTo(plan, stream, { to, sender: networkOf(remoteAddress), ended, cutOff: () => closeSession(server, id) }).then(done)
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

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>

interface Open {
  ended: AbortController
  timer: NodeJS.Timeout
}

// Counts the sessions of each client network, and ends those that last too long.
function createSessions(maxPerAddress: number, end: (id: string) => void) {
  const networks = new Map<string, Map<string, Open>>()
  return {
    open({ id, remoteAddress }: Session): boolean {
      const network = networkOf(remoteAddress)
      const own = networks.get(network) ?? new Map<string, Open>()
      if (own.size >= maxPerAddress) return false
      networks.set(network, own.set(id, { ended: new AbortController(), timer: setTimeout(() => end(id), sessionMs) }))
      return true
    },
    /** Aborted when the session has ended. */
    endOf: ({ id, remoteAddress }: Session) => networks.get(networkOf(remoteAddress))?.get(id)?.ended.signal,
    close({ id, remoteAddress }: Session): void {
      const network = networkOf(remoteAddress)
      const own = networks.get(network)
      clearTimeout(own?.get(id)?.timer)
      own?.get(id)?.ended.abort()
      own?.delete(id)
      if (own?.size === 0) networks.delete(network)
    },
  }
}

function closeSession(server: SMTPServer, id: string): void {
  for (const connection of server.connections) if (connection.id === id) connection.send(421, '4.4.2 This session takes too much')
}

async function answerTo(
  plan: ReceiverPlan,
  stream: SMTPServerDataStream,
  { cutOff, ...message }: Omit<ReceivedMessage, 'raw'> & { cutOff: () => void },
): Promise<Error | null> {
  try {
    const pieces: Buffer[] = []
    // What is too large is not collected, and is read to its end only so that its sender reads the answer.
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (!stream.sizeExceeded) pieces.push(piece)
      else if (stream.byteLength > maxReadFactor * plan.maxBytes) cutOff()
    }
    if (stream.sizeExceeded) return refusal(552, '5.3.4 The message is too large')
    await plan.receive({ ...message, raw: Buffer.concat(pieces) })
    return null
  } catch (error) {
    if (!message.ended?.aborted) plan.report(error)
    return refusal(451, '4.3.0 The message could not be handled now')
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
