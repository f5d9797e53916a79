import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listenWith } from '../../src/server/listening.ts'
import { until } from '../help/until.ts'

const host = '127.0.0.1'

async function listening() {
  const server = createServer(({ url }, response) => void (url === '/' ? response.end('here') : response.flushHeaders()))
  const { port, close } = await listenWith(server, { host, port: 0 })
  const clients: Socket[] = []
  let ended = 0
  server.on('connection', (socket) => void socket.once('close', () => ended++))
  onTestFinished(async () => {
    for (const client of clients) client.destroy()
    await close()
  })
  const open = (count: number): Socket[] => {
    const opened = Array.from({ length: count }, () => connect(port, host).on('error', () => undefined))
    clients.push(...opened)
    return opened
  }
  return { server, port, close, open, ended: () => ended }
}

test.runIf(process.platform === 'linux')('takes in several connections per turn of the event loop', async () => {
  const { server, open } = await listening()
  const [count, turns] = [64, new Set<number>()]
  let [turn, taken, ended] = [0, 0, false]
  const next = (): void => {
    turn++
    if (!ended) setImmediate(next)
  }
  server.on('connection', () => {
    turns.add(turn)
    taken++
  })
  open(count)
  // The kernel answers the clients meanwhile.
  await sleep(0)
  for (const from = performance.now(); performance.now() - from < 100; );
  next()
  await until(async () => taken === count)
  ended = true
  expect(turns.size).toBeLessThan(count / 2)
})

test('answers on every connection, and ends when all of them have ended: idle ones at once', async () => {
  const { ended, port, close, open } = await listening()
  const clients = open(40)
  for (const client of clients) {
    client.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)
    const [answer] = (await once(client, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
  }
  clients[0]?.write(`GET /held HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)
  await once(clients[0] as Socket, 'data')
  let isClosed = false
  const closing = close().then(() => {
    isClosed = true
  })
  await expect(once(open(1)[0] as Socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await until(async () => ended() === clients.length - 1)
  expect(isClosed).toBe(false)
  clients[0]?.destroy()
  await closing
})

test('a port that another server has is refused, also where it is divided', async () => {
  const { port } = await listening()
  await expect(listenWith(createServer(), { host, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
