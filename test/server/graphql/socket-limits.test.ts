import { connect as connectTcp } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import WebSocket from 'ws'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { startServer } from '../../../src/server/app.ts'
import { bearer, connect, openStream, socketUrl, watching } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer({ running: true })
const subscription = 'subscription { activity { cursor } }'

interface Bare {
  socket: WebSocket
  /** The types of the messages that have arrived. */
  types: string[]
  send(message: object): void
  closed: Promise<number>
}

/** An open socket without a protocol client; with a key it is initialised. Fails with the status of a refused handshake. */
async function bare(base: string, key?: string): Promise<Bare> {
  const socket = new WebSocket(socketUrl(base), 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  const types: string[] = []
  socket.on('message', (text) => types.push(JSON.parse(String(text)).type))
  socket.on('pong', () => types.push('pong frame'))
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const send = (message: object) => socket.send(JSON.stringify(message))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, { statusCode }) => reject(new Error(`HTTP ${statusCode}`)))
  })
  if (key === undefined) return { socket, types, send, closed }
  send({ type: 'connection_init', payload: bearer(key) })
  await until(async () => types.includes('connection_ack'))
  return { socket, types, send, closed }
}

describe('before connection_init', () => {
  test('nothing is echoed', async () => {
    const { secret } = await freshProject(world)
    const { socket, types, send } = await bare(url)
    for (let at = 0; at < 10; at++) {
      send({ type: 'ping', payload: { at } })
      socket.ping(`frame ${at}`)
    }
    send({ type: 'connection_init', payload: bearer(secret) })
    await until(async () => types.length > 0)
    send({ type: 'ping' })
    await until(async () => types.length > 1)
    expect(types).toEqual(['connection_ack', 'pong'])
    socket.ping()
    await until(async () => types.includes('pong frame'))
  })

  test.each(['one large message', 'many small ones'])('a socket that sends 16 KB as %s is cut off', async (how) => {
    const { send, closed } = await bare(url)
    if (how === 'one large message') send({ type: 'ping', payload: { text: 'x'.repeat(100_000) } })
    else for (let at = 0; at < 1_000; at++) send({ type: 'ping', payload: { text: 'x'.repeat(100) } })
    expect(await closed).toBe(1006)
  })
})

describe('a socket whose owner does not read', () => {
  // More than the buffers of the operating system on both sides.
  const floodBytes = 64_000_000
  const floods: Record<string, [number, (socket: WebSocket, template: string) => void]> = {
    'sends pings': [100_000, (socket) => socket.send(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(100_000) } }))],
    'sends ping frames': [127, (socket) => socket.ping('x'.repeat(125))],
    'asks for large answers': [
      1_000_000,
      (socket, template) => {
        const query = `{ template(id: "${template}") { body } }`
        socket.send(JSON.stringify({ id: String(Math.random()), type: 'subscribe', payload: { query } }))
      },
    ],
  }

  test.each(Object.keys(floods))('and %s is cut off when 4 MB wait for it, which is logged once', { timeout: 60_000 }, async (flood) => {
    const { secret } = await sendingProject(world)
    const content = { subject: 'Large', body: 'x'.repeat(1_000_000), from: 'hi@demo.test' }
    const { body: template } = await call('POST /templates', content, { key: secret })
    const { socket, closed } = await bare(url, secret)
    const log = vi.spyOn(world.log, 'info')
    onTestFinished(() => log.mockRestore())
    const cut = () => log.mock.calls.map(([line]) => line as object).filter((line) => 'bufferedBytes' in line)
    socket.pause()
    const [bytes, send] = floods[flood] ?? [1, () => {}]
    for (let sent = 0; sent < floodBytes && cut().length === 0; sent += bytes) {
      send(socket, template.id)
      if (socket.bufferedAmount > 1_000_000) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(async () => cut().length > 0)
    socket.resume()
    expect(await closed).toBe(1006)
    expect(cut()).toEqual([{ reason: expect.stringContaining('does not read'), bufferedBytes: expect.any(Number) }])
    expect(cut()[0]).toSatisfy(({ bufferedBytes }) => bufferedBytes < 5_000_000)
  })
})

test('a socket that ignores its close frame runs nothing after its key was rotated', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const deaf = await bare(url, secret)
  const { closed } = connect(url, bearer(secret))
  deaf.socket.pause()
  const { secret: next } = await regenerateKeys(ctx, { id: projectId })
  expect((await closed).code).toBe(4401)
  const query = 'mutation { upsertContact(input: { email: "late@example.com" }) { created } }'
  deaf.send({ id: '1', type: 'subscribe', payload: { query } })
  deaf.socket.resume()
  await deaf.closed
  expect(deaf.types).toEqual(['connection_ack'])
  // Written after what the socket asked for would have been.
  await call('POST /contacts', { email: 'later@example.com' }, { key: next })
  expect(await world.db.prisma.contact.findMany({ where: { projectId }, select: { email: true } })).toEqual([
    { email: 'later@example.com' },
  ])
})

describe('the number of sockets is limited', () => {
  test('per address before connection_init', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_BEFORE_INIT: '3' } })
    const { secret } = await freshProject(limited.world)
    const waiting = [await bare(limited.url), await bare(limited.url), await bare(limited.url)]
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429')
    waiting[0]?.send({ type: 'connection_init', payload: bearer(secret) })
    await until(async () => waiting[0]?.types[0] === 'connection_ack')
    await bare(limited.url)
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429')
    waiting[1]?.socket.terminate()
    await until(() =>
      bare(limited.url).then(
        () => true,
        () => false,
      ),
    )
  })

  test('per key, event streams included', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_PER_KEY: '2' } })
    const [{ secret }, other] = [await freshProject(limited.world), await freshProject(limited.world)]
    const first = await bare(limited.url, secret)
    const stream = await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    await until(async () => (await watching(limited.world)) === 1)
    expect(await connect(limited.url, bearer(secret)).closed).toMatchObject({ code: 1013, reason: expect.stringContaining('At most 2') })
    const refused = await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    await refused.over
    expect(refused.text()).toContain('"code":"RATE_LIMIT_EXCEEDED"')
    await bare(limited.url, other.secret)
    first.socket.terminate()
    await until(() =>
      bare(limited.url, secret).then(
        () => true,
        () => false,
      ),
    )
    expect(stream.type).toMatch('text/event-stream')
    expect(await watching(limited.world)).toBe(1)
  })

  test('per person, whichever of their projects and sessions they are of; other members have places of their own', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_PER_KEY: '2' } })
    const projects = [await freshProject(limited.world), await freshProject(limited.world)]
    const member = projects.map(({ projectId }) => ({ projectId, role: 'MEMBER' as const }))
    const [one, other] = [await freshUser(limited.world, { member }), await freshUser(limited.world, { member })]
    const open = ({ cookie }: { cookie: string }, at: number) =>
      openStream(limited.url, subscription, { cookie, 'x-project-id': projects[at]?.projectId ?? '', accept: '*/*' })
    const began = async (count: number) => until(async () => (await watching(limited.world)) === count)
    await Promise.all([open(one, 0), open(one, 1)])
    await began(2)
    for (const at of [0, 1]) {
      const refused = await open(one, at)
      await refused.over
      expect(refused.text()).toContain('"code":"RATE_LIMIT_EXCEEDED"')
    }
    await Promise.all([open(other, 0), open(other, 1)])
    await began(4)
  })

  test('per address, event streams included', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_PER_ADDRESS: '2' } })
    const { secret } = await freshProject(limited.world)
    await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    const second = await bare(limited.url)
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429')
    const refused = await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    await refused.over
    expect(refused.text()).toContain('"code":"RATE_LIMIT_EXCEEDED"')
    second.socket.terminate()
    await until(() =>
      bare(limited.url).then(
        () => true,
        () => false,
      ),
    )
  })
})

test('messages that never end are cut off when an address has sent 32 MB of them, and those that end are not counted', async () => {
  const { secret } = await freshProject(world)
  const part = Buffer.alloc(900_000, ' ')
  // An address may have 20 sockets that have not said who they are.
  const sockets: Awaited<ReturnType<typeof bare>>[] = []
  while (sockets.length < 40) sockets.push(...(await Promise.all(Array.from({ length: 10 }, () => bare(url, secret)))))
  let cutOff = 0
  for (const { closed } of sockets) void closed.then(() => cutOff++)
  const [ends, ...others] = sockets
  for (let sent = 0; sent < 40; sent++) {
    ends?.socket.send(part, { fin: false })
    ends?.socket.ping()
    ends?.socket.send('{"type":"ping"}')
    await until(async () => ends?.types.filter((type) => type === 'pong').length === sent + 1)
  }
  expect(cutOff).toBe(0)
  for (const { socket } of others) socket.send(part, { fin: false })
  await until(async () => cutOff > 0)
  const answered = await bare(url, secret)
  answered.send({ type: 'ping' })
  await until(async () => answered.types.includes('pong'))
  expect(cutOff).toBeLessThan(10)
})

test('a server closes within 5 s although sockets do not read their close frame', async () => {
  const server = await startServer(world)
  const { secret } = await freshProject(world)
  const deaf = await bare(server.url, secret)
  deaf.socket.pause()
  const began = performance.now()
  await server.close()
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a refused upgrade leaves no connection behind, whatever its client does', async () => {
  const socket = connectTcp({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => undefined)
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await until(async () => text.includes('403'))
  // The client does not end its half: writing to a connection that the server has closed fails.
  const timer = setInterval(() => socket.write('x'), 50)
  expect(await closed).toBe(true)
  clearInterval(timer)
})
