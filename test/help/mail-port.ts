import { connect, type SocketConstructorOpts } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type Receiver, type ReceiverPlan, receiveMail } from '../../src/kit/smtp/receiver.ts'
import { until } from './until.ts'

const limits: ReceiverPlan = {
  host: '127.0.0.1',
  port: 0,
  name: 'localhost',
  maxBytes: 100_000,
  keptBytes: 1_000,
  maxConnections: 5,
  maxPerAddress: 5,
  unprovenMs: 30_000,
  sessionMs: 300_000,
  accepts: () => true,
  receive: async () => {},
  report: () => {},
}

/** An open port that takes every message, unless the plan says otherwise, until the test ends. */
export async function receiverOf(plan: Partial<ReceiverPlan> = {}): Promise<Receiver> {
  const receiver = await receiveMail({ ...limits, ...plan })
  onTestFinished(receiver.close)
  return receiver
}

/** A client of a port at one of the addresses of this machine. */
export function clientOf({ port }: { port: number }, localAddress = '127.0.0.1', options: SocketConstructorOpts = {}) {
  const socket = connect({ port, host: '127.0.0.1', localAddress, ...options }).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  const heard: string[] = []
  socket.on('data', (text: string) => void heard.push(...text.split('\r\n').slice(0, -1)))
  socket.on('error', () => undefined)
  const client = {
    socket,
    heard,
    /** The first line of the answer to a line, or without one the greeting. */
    async next(line?: string): Promise<string> {
      if (line !== undefined) {
        heard.splice(0)
        socket.write(`${line}\r\n`)
      }
      await until(async () => heard.length > 0 || socket.closed)
      return heard[0] ?? 'closed'
    },
    async prove(): Promise<void> {
      await client.next('HELO x')
      await client.next('MAIL FROM:<>')
      expect(await client.next('RCPT TO:<a@example.com>')).toMatch(/^250 /)
    },
    /** Until a message is asked for. */
    async begin(): Promise<void> {
      await client.next()
      await client.prove()
      expect(await client.next('DATA')).toMatch(/^354 /)
    },
  }
  return client
}
