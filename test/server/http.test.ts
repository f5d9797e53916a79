import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { call, url, world } = await testServer()

test('everything after the first question mark is the query', async () => {
  const { secret } = await freshProject(world)
  await call('POST /contacts', { email: 'ada@example.com' }, { key: secret })
  const found = async (query: string) => {
    const { body } = await call(`GET /contacts?${query}`, undefined, { key: secret })
    return body.data.map(({ email }: { email: string }) => email)
  }
  expect(await found('search=ada')).toEqual(['ada@example.com'])
  expect(await found('search=ada?zzzz')).toEqual([])
  expect(await found('more=a?b&search=ada')).toEqual(['ada@example.com'])
  expect(await found('more=a?b&search=zzzz')).toEqual([])
})

/** Sends the text of a request and returns the first line of the answer. */
async function firstLine(lines: string[]): Promise<string> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end([...lines, `Host: localhost:${port}`, '', ''].join('\r\n'))
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return chunk.toString().split('\r\n')[0] ?? ''
}

test.each([
  ['/v1/track', '*'],
  ['/v1x', null],
  ['/v1', null],
  ['/config', null],
])('to pages of other sites %s is open: %s', async (path, allowed) => {
  const { headers } = await call(`OPTIONS ${path}`, undefined, { headers: { origin: 'https://other.example' } })
  expect(headers.get('access-control-allow-origin')).toBe(allowed)
})

test.each([
  ['two Host headers', '/healthz', ['Host: evil.example'], '400 Bad Request'],
  ['two Authorization headers', '/healthz', ['Authorization: Bearer a', 'authorization: Bearer b'], '400 Bad Request'],
  [
    'two Host headers, for a websocket',
    '/graphql',
    [
      'HOST: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ],
    '400 Bad Request',
  ],
  ['one of each', '/healthz', ['Authorization: Bearer a'], '200 OK'],
])('a request with %s is answered by its status', async (_what, path, headers, status) => {
  expect(await firstLine([`GET ${path} HTTP/1.1`, ...headers])).toBe(`HTTP/1.1 ${status}`)
})

test.each([
  ['of this one', (host: string) => `http://${host}/config?a=b`, '200 OK'],
  ['of this one, without a path', (host: string) => `HTTP://${host}`, '302 Found'],
  ['of another one', () => 'http://evil.example/config', '400 Bad Request'],
])('a target with the host %s, as proxies are asked, is answered by its status (RFC 9112, 3.2.2)', async (_what, target, status) => {
  expect(await firstLine([`GET ${target(`localhost:${new URL(url).port}`)} HTTP/1.1`, 'Accept: text/html'])).toBe(`HTTP/1.1 ${status}`)
})

test.each([
  ['to h2c', '/healthz', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'], '200 OK'],
  ['to h2c of /graphql', '/graphql', ['Connection: Upgrade', 'Upgrade: h2c'], '400 Bad Request'],
  ['to a websocket elsewhere', '/healthz', ['Connection: Upgrade', 'Upgrade: websocket'], '200 OK'],
  ['to something unknown', '/config?a', ['Connection: Upgrade', 'Upgrade: toaster/2'], '200 OK'],
])('an offer to upgrade %s is answered like any other request', async (_what, path, headers, status) => {
  const plain = await firstLine([`GET ${path} HTTP/1.1`])
  expect(plain).toBe(`HTTP/1.1 ${status}`)
  expect(await firstLine([`GET ${path} HTTP/1.1`, ...headers])).toBe(plain)
})

test('a request with more than a hundred headers is refused with 431, and its connection ends', async () => {
  const ask = (count: number) =>
    fetch(`${url}/config`, { headers: Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, '1'])) })
  expect((await ask(80)).status).toBe(200)
  const refused = await ask(150)
  expect([refused.status, refused.headers.get('connection')]).toEqual([431, 'close'])
})
