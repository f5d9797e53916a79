import { type IncomingMessage, request } from 'node:http'
import { type Client, createClient } from 'graphql-ws'
import { onTestFinished } from 'vitest'
import WebSocket from 'ws'
import type { World } from '../../src/kit/world.ts'

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
  return { type: String(answer.headers['content-type']), text: () => text, over }
}
