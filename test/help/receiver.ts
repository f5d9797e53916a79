import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** A request that a receiver was sent. */
export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  /** Names and values as they arrived, one after the other. */
  rawHeaders: string[]
  body: string
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** How it answers from now on; by default 200 without a body. */
  answer(how: (response: ServerResponse, request: Received) => void): void
}

/** Starts a receiver, closed after the file's tests. */
export async function receiver(): Promise<Receiver> {
  const received: Received[] = []
  let how = (response: ServerResponse, _request: Received): void => void response.end()
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = '', url: path = '', rawHeaders } = request
      const one = { method, path, headers: request.headers as Record<string, string>, rawHeaders, body }
      received.push(one)
      how(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    answer(next) {
      how = next
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/**
 * Whether a webhook was signed with a secret, by the text of the standard (standardwebhooks.com): one of the signatures is `v1,` and the
 * base64 of HMAC-SHA256 over id, timestamp and body joined by full stops, keyed with the decoded secret behind `whsec_`.
 */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, signature = ''] = one.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
