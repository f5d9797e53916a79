import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { textAsset } from '../../src/server/assets.ts'
import { holdUnread } from '../../src/server/unread.ts'
import { testServer } from '../help/server.ts'
import { unreadBytes } from '../help/unread.ts'
import { until } from '../help/until.ts'

const { url, world, call } = await testServer()
const pages = ['/openapi.json', '/docs/reference.js', '/docs']

/** Sends requests at once, and does not read the answers before `read` is called. */
function pipelined(path: string, times: number): { read(): void; text(): string } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(times))
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.pause()
  return { text: () => text, read: () => void socket.resume() }
}

const answersIn = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)

test.each(pages)('%s is compressed for those who accept it, and not sent again to those who have it', async (path) => {
  const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
  const octets = Buffer.from(await plain.arrayBuffer())
  const etag = plain.headers.get('etag') ?? ''
  expect([etag, plain.headers.get('content-encoding')]).toEqual([expect.stringMatching(/^"[\w-]{27}"$/), null])
  const { headers, body } = await compressed(path)
  expect([headers['content-encoding'], gunzipSync(body).equals(octets)]).toEqual(['gzip', true])
  expect(headers.etag).not.toBe(etag)
  const again = await call(`GET ${path}`, undefined, { headers: { 'accept-encoding': 'identity', 'if-none-match': `"x", ${etag}` } })
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await call(`GET ${path}`, undefined, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
})

test('requests that are sent ahead on a connection are answered one after the other, as the answers are read', async () => {
  await call('GET /docs/reference.js', undefined, { headers: { 'accept-encoding': 'identity' } })
  const size = Number(
    (await fetch(`${url}/docs/reference.js`, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })).headers.get('content-length'),
  )
  const ahead = pipelined('/docs/reference.js', 40)
  await until(async () => (await unreadBytes(world)) > 0)
  for (let n = 0; n < 20; n++) {
    await call('GET /healthz')
    expect(await unreadBytes(world)).toBeLessThanOrEqual(size)
  }
  ahead.read()
  await until(async () => answersIn(ahead.text()).length === 40)
  expect(new Set(answersIn(ahead.text()))).toEqual(new Set(['200']))
})

test('a page that all share counts as what a connection has of it in memory, however large it is', async () => {
  const answers = Array.from({ length: 10 }, () => pipelined('/docs/reference.js', 40))
  await until(async () => (await unreadBytes(world)) === answers.length * 128 * 1024)
  for (const answer of answers) answer.read()
  await until(async () => (await unreadBytes(world)) === 0)
})

test('a hundred requests that are sent ahead are all answered, in order', async () => {
  const ahead = pipelined('/healthz', 100)
  ahead.read()
  await until(async () => answersIn(ahead.text()).length === 100)
})

test('a page that is large is 503 while the address has 32 MB unread; small ones, and those who have no key elsewhere, are answered', async () => {
  const held = holdUnread(callIn(world, { client: { address: '127.0.0.1' } }))
  held.add(33 * 1024 * 1024)
  for (const path of ['/openapi.json', '/docs/reference.js']) {
    const { status, headers } = await call(`GET ${path}`, undefined, { headers: { 'accept-encoding': 'identity' } })
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5'])
  }
  expect((await call('GET /docs')).status).toBe(200)
  held.release()
  const elsewhere = holdUnread(callIn(world, { client: { address: '192.0.2.1' } }))
  elsewhere.add(33 * 1024 * 1024)
  expect((await call('GET /openapi.json')).status).toBe(200)
  elsewhere.release()
})

test('all answers of an asset share its octets, which are made once', async () => {
  const asset = textAsset(() => 'x'.repeat(1_000))
  const ask = (accepted?: string) => asset.answer({ accepted, ifNoneMatch: undefined }, {})
  for (const accepted of [undefined, 'gzip']) {
    const [one, two] = await Promise.all([ask(accepted), ask(accepted)])
    expect(one?.body).toBe(two?.body)
    expect((await ask(accepted)).body).toBe(one?.body)
  }
})

function compressed(path: string): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { headers: { 'accept-encoding': 'gzip' } }, async (answer) => {
      resolve({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) })
    })
    asked.on('error', reject).end()
  })
}
