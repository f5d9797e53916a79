import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Random } from './random.ts'

/** A message that the server has taken: from then on it is the server's, whether or not the sender learns that. */
export interface Arrival {
  to: string
  messageId: string
  /** The name by which the sender introduced itself. */
  sender: string
  /** When the whole content was there, in ms of the monotonic clock. */
  at: number
  /** What is known about the answer: the connection was used again, it ended without that, or the server cut it before it answered. */
  answer: 'read' | 'unread' | 'cut'
}

/** A real SMTP server that remembers what it took, and how its answers fared. */
export interface RecordingServer {
  port: number
  arrivals: Arrival[]
  /** Whether it has had a session with a sender, by the name by which that introduces itself. */
  knows(sender: string): boolean
  /** Waits for so many steps of sessions (connected, MAIL, RCPT, content, answered), and at most `maxMs`; returns the last step. */
  steps(count: number, maxMs: number): Promise<string>
  close(): Promise<void>
}

/** Starts a server that answers each message after up to 15 ms, or another time; `cutShare` of the messages it takes and cuts the connection instead. */
export async function recordingServer(random: Random, cutShare: number, maxAnswerMs = 15): Promise<RecordingServer> {
  const arrivals: Arrival[] = []
  const senders = new Set<string>()
  const lastOf = new Map<string, Arrival>()
  const sockets = new Map<number, Socket>()
  const { passed, steps } = countSteps()

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (_session, done) => passed('connected', done),
    onMailFrom(_address, { id, hostNameAppearsAs }, done) {
      senders.add(String(hostNameAppearsAs))
      const last = lastOf.get(id)
      if (last) last.answer = 'read'
      passed('MAIL', done)
    },
    onRcptTo: (_address, _session, done) => passed('RCPT', done),
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', async () => {
        const raw = Buffer.concat(pieces).toString('latin1')
        const arrival: Arrival = {
          to: session.envelope.rcptTo[0]?.address ?? '',
          messageId: /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? '',
          sender: String(session.hostNameAppearsAs),
          at: performance.now(),
          answer: 'unread',
        }
        arrivals.push(arrival)
        passed('content', () => undefined)
        await pause(random() * maxAnswerMs)
        if (random() < cutShare) {
          arrival.answer = 'cut'
          sockets.get(session.remotePort)?.destroy()
          return
        }
        lastOf.set(session.id, arrival)
        done()
        passed('answered', () => undefined)
      })
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket) => {
    const port = socket.remotePort ?? 0
    sockets.set(port, socket)
    socket.once('close', () => sockets.delete(port))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const knows = (sender: string): boolean => senders.has(sender)
  return { port, arrivals, knows, steps, close: () => new Promise((resolve) => server.close(resolve)) }
}

function countSteps() {
  let left = 0
  let reached: (step: string) => void = () => undefined
  return {
    passed(step: string, done: () => void): void {
      if (--left === 0) reached(step)
      done()
    },
    steps(count: number, maxMs: number): Promise<string> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve('no session'), maxMs)
        left = count
        reached = (step) => {
          clearTimeout(timer)
          resolve(step)
        }
      })
    },
  }
}
