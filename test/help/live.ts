import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type Client, createClient } from 'graphql-ws'
import { onTestFinished } from 'vitest'
import WebSocket, { type ClientOptions } from 'ws'
import type { World } from '../../src/kit/world.ts'
import { until } from './until.ts'

/** How a socket was closed. */
interface Closed {
  code: number
  reason: string
}

/** The address of the websockets of a server. */
export const socketUrl = (base: string) => `${base.replace('http', 'ws')}/graphql`

/** The header, or the connection parameter, of a key. */
export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** How many subscribers a process has. */
export const watching = async (world: World) => (await world.metrics.subscribers.get()).values[0]?.value ?? 0

/** A graphql-ws client that never reconnects, and how its socket ended; closed after the test. */
export function connect(
  base: string,
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
): { client: Client; closed: Promise<Closed> } {
  const { promise: closed, resolve } = Promise.withResolvers<Closed>()
  const client = createClient({
    url: socketUrl(base),
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers })
      }
    },
    connectionParams: params,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    on: { closed: (event) => resolve(event as CloseEvent) },
  })
  onTestFinished(() => client.dispose())
  return { client, closed }
}

/** The answer to a subscription over HTTP. */
export interface Stream {
  type: string
  headers: IncomingHttpHeaders
  text(): string
  /** When the connection has ended. */
  over: Promise<unknown>
}

/** Subscribes with a plain POST, which unlike fetch() adds no headers of its own; ended after the test. */
export async function openStream(base: string, query: string, headers: Record<string, string>): Promise<Stream> {
  const asked = request(`${base}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
  onTestFinished(() => void asked.destroy())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject).end(JSON.stringify({ query }))
  })
  let text = ''
  answer.on('data', (chunk: Buffer) => {
    text += chunk
  })
  answer.on('error', () => undefined)
  const over = new Promise((resolve) => answer.once('close', resolve))
  return { type: String(answer.headers['content-type']), headers: answer.headers, text: () => text, over }
}

/** A websocket without a protocol client. */
export interface Bare {
  socket: WebSocket
  /** The types of the messages that have arrived. */
  types: string[]
  send(message: object): void
  closed: Promise<number>
}

/** An open socket without a protocol client; with a key it is initialised. Fails with the status of a refused handshake. */
export async function bare(base: string, key?: string, options: ClientOptions = {}): Promise<Bare> {
  const socket = new WebSocket(socketUrl(base), 'graphql-transport-ws', options)
  onTestFinished(() => socket.terminate())
  const types: string[] = []
  socket.on('message', (text) => types.push(JSON.parse(String(text)).type))
  socket.on('pong', () => types.push('pong frame'))
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const send = (message: object) => socket.send(JSON.stringify(message))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, { statusCode, headers }) =>
      reject(new Error(`HTTP ${statusCode}, Retry-After ${headers['retry-after']}`)),
    )
  })
  if (key === undefined) return { socket, types, send, closed }
  send({ type: 'connection_init', payload: bearer(key) })
  await until(async () => types.includes('connection_ack'))
  return { socket, types, send, closed }
}
