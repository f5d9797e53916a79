import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, connect as openSocket } from '../help/live.ts'
import { type TestServer, testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const limited = { MAX_CONNECTIONS_PER_ADDRESS: '3' }
const direct = await testServer({ env: limited })
const proxied = await testServer({ env: { ...limited, TRUST_PROXY: '1' } })

/** A connection that says nothing by itself, and what it was sent. */
interface Idle {
  socket: Socket
  text(): string
  ask(): void
}

function open({ url }: TestServer, from = '127.0.0.1'): Idle {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  return { socket, text: () => text, ask: () => void socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`) }
}

const openSeveral = async (server: TestServer, count: number): Promise<Idle[]> => {
  const all: Idle[] = []
  for (let at = 0; at < count; at++) {
    const idle = open(server)
    idle.ask()
    await until(async () => idle.text() !== '')
    all.push(idle)
  }
  return all
}

test('an address that has as many connections as it may gets 429 on one more, which is closed; others are served', async () => {
  const [first, ...more] = await openSeveral(direct, 3)
  const refused = open(direct)
  await until(async () => refused.socket.closed)
  expect(refused.text()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n.*Retry-After: 5\r\n.*are open\. Try again in 5 seconds\.$/s)
  const other = open(direct, '127.0.0.2')
  for (const served of [...more, other]) served.ask()
  const answersOf = ({ text }: Idle) => text().split('HTTP/1.1 200 OK').length - 1
  for (const [served, answers] of [...more.map((one) => [one, 2] as const), [other, 1] as const])
    await until(async () => answersOf(served) === answers)
  first?.socket.destroy()
  await until(async () => {
    const next = open(direct)
    next.ask()
    await until(async () => next.text() !== '' || next.socket.closed)
    return next.text().startsWith('HTTP/1.1 200 OK')
  })
})

test('websockets count by limits of their own', async () => {
  const { secret } = await freshProject(direct.world)
  const before = async () =>
    (await direct.world.metrics.connections.get()).values.find(({ labels }) => labels.kind === 'websocket')?.value ?? 0
  for (let at = 1; at <= 5; at++) {
    openSocket(direct.url, bearer(secret))
    await until(async () => (await before()) === at)
  }
})

test('behind a reverse proxy, whose connections all are, they are not limited', async () => {
  const all = await openSeveral(proxied, 5)
  expect(all.map(({ text }) => text().split('\r\n')[0])).toEqual(Array(5).fill('HTTP/1.1 200 OK'))
})
