import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { World } from '../../src/kit/world.ts'
import { inTurn, limitAhead } from '../../src/server/in-turn.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const { url, world } = await testServer()
const good = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const chunked = 'POST /v1/track HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n'

/** The statuses of the answers to what is sent at once, when the server has ended the connection. */
async function answersTo(sent: string): Promise<string[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  socket.write(sent)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

test.each([
  ['of what is not a request', 'nothing\r\n\r\n', '400'],
  ['of a body', chunked, '400'],
  ['of too many headers', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('the refusal %s comes after the answers to the requests before it', async (_what, sent, status) => {
  expect(await answersTo(sent)).toEqual([status])
  expect(await answersTo(good + sent)).toEqual(['200', status])
  expect(await answersTo(good.repeat(40) + sent)).toEqual([...Array.from({ length: 40 }, () => '200'), status])
})

const upgrade =
  'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n'

describe('requests that are sent ahead of the answers', () => {
  test('may not be upgrades: a websocket would begin before the answers', async () => {
    expect(await answersTo(good + upgrade)).toEqual(['200', '400'])
    expect((await answersTo(good.repeat(5_000) + upgrade)).at(-1)).toBe('429')
  })

  test('count for the client that a proxy sent them for', async () => {
    const proxied = await testWorld({ env: { TRUST_PROXY: '1' } })
    const { server, answerAll, found } = await holding(proxied)
    const of = (client: string, count: number) => piped(server, count, `X-Forwarded-For: ${client}\r\n`)
    const clients = Array.from({ length: 25 }, () => of('192.0.2.1', 95))
    await until(async () => found() === 25)
    const other = of('192.0.2.2', 95)
    await until(async () => found() === 26)
    answerAll()
    expect((await other.text).split('HTTP/1.1 200 ')).toHaveLength(96)
    const texts = await Promise.all(clients.map(({ text }) => text))
    expect(texts.join('').split('HTTP/1.1 429 ')).toHaveLength(5)
  })

  test('are answered up to 100 of a connection; then it ends with 429', async () => {
    const statuses = await answersTo(good.repeat(5_000))
    expect(statuses.at(-1)).toBe('429')
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(['200']))
    expect(statuses.length).toSatisfy((length) => length >= 102 && length < 5_000)
    expect(await answersTo(`${good.repeat(40)}nothing\r\n\r\n`)).toHaveLength(41)
  })

  test('are 2,000 of a client address at most, which has as many again once they are answered or their callers have left', async () => {
    const { server, answerAll, found } = await holding()
    for (const ending of ['answered', 'left'] as const) {
      const clients = Array.from({ length: 25 }, () => piped(server, 95))
      await until(async () => found() === 25)
      if (ending === 'answered') answerAll()
      else for (const { socket } of clients) socket.destroy()
      const texts = await Promise.all(clients.map(({ text }) => text))
      if (ending === 'left') continue
      const count = (status: string) => texts.join('').split(`HTTP/1.1 ${status} `).length - 1
      expect([count('200'), count('429')]).toEqual([2_025, 4])
      expect(texts.join('')).toContain('Too many requests were sent ahead of the answers: wait for some of them.')
      await until(async () => clients.every(({ socket }) => socket.destroyed))
      answerAll(false)
    }
    const [again] = [piped(server, 95)]
    await until(async () => found() === 1)
    answerAll()
    expect((await again.text).split('HTTP/1.1 200 ')).toHaveLength(96)
  })
})

/** A server that answers nothing until it is told to. */
async function holding(of: World = world) {
  const held: ServerResponse[] = []
  let answers = false
  const server = createServer(
    inTurn(of, (_request, response) => {
      if (answers) response.end('x')
      else held.push(response)
    }),
  )
  limitAhead(of, server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const answerAll = (all = true) => {
    answers = all
    for (const response of held.splice(0)) response.end('x')
  }
  return { server, answerAll, found: () => held.filter(({ destroyed }) => !destroyed).length }
}

/** Sends so many requests at once. Its text is what is answered until the server ends the connection, or nothing more comes. */
function piped(server: ReturnType<typeof createServer>, count: number, headers = '') {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const requests = `GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`.repeat(count - 1)
  socket.write(`${requests}GET / HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`)
  const text = new Promise<string>((resolve) => {
    let all = ''
    socket.on('data', (data) => {
      all += data.toString('latin1')
    })
    socket.once('close', () => resolve(all))
  })
  return { socket, text }
}
