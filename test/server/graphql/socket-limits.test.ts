import { connect as connectTcp } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type WebSocket from 'ws'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { startServer } from '../../../src/server/app.ts'
import { bare, bearer, connect, openStream, type Stream, watching } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { atPace } from '../../help/pace.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer({ running: true })
const subscription = 'subscription { activity { cursor } }'

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
    'asks for large answers': [
      1_000_000,
      (socket, template) => {
        const query = `{ template(id: "${template}") { body } }`
        socket.send(JSON.stringify({ id: String(Math.random()), type: 'subscribe', payload: { query } }))
      },
    ],
  }

  test.each(Object.keys(floods))('and %s is cut off when 4 MB wait for it, which is logged once', async (flood) => {
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

/** The code of an event stream that was refused, and after how many seconds it may be tried again, by its body and by its header. */
function refusalOf({ text, headers }: Stream): unknown[] {
  const { code, retryAfter } = JSON.parse(text()).errors[0].extensions
  return [code, retryAfter, headers['retry-after']]
}

describe('the number of sockets is limited', () => {
  test('per address before connection_init', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_BEFORE_INIT: '3' } })
    const { secret } = await freshProject(limited.world)
    const waiting = [await bare(limited.url), await bare(limited.url), await bare(limited.url)]
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429, Retry-After 5')
    waiting[0]?.send({ type: 'connection_init', payload: bearer(secret) })
    await until(async () => waiting[0]?.types[0] === 'connection_ack')
    await bare(limited.url)
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429, Retry-After 5')
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
    expect(refusalOf(refused)).toEqual(['RATE_LIMIT_EXCEEDED', 5, '5'])
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
      expect(refusalOf(refused)).toEqual(['RATE_LIMIT_EXCEEDED', 5, '5'])
    }
    await Promise.all([open(other, 0), open(other, 1)])
    await began(4)
  })

  test('per address, event streams included', async () => {
    const limited = await testServer({ running: true, env: { MAX_SOCKETS_PER_ADDRESS: '2' } })
    const { secret } = await freshProject(limited.world)
    await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    const second = await bare(limited.url)
    await expect(bare(limited.url)).rejects.toThrow('HTTP 429, Retry-After 5')
    const refused = await openStream(limited.url, subscription, { ...bearer(secret), accept: '*/*' })
    await refused.over
    expect(refusalOf(refused)).toEqual(['RATE_LIMIT_EXCEEDED', 5, '5'])
    second.socket.terminate()
    await until(() =>
      bare(limited.url).then(
        () => true,
        () => false,
      ),
    )
  })
})

test('a socket whose client answers no ping is ended after two rounds, and others stay', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startServer(world)
  onTestFinished(() => server.close())
  const { secret } = await freshProject(world)
  const [dead, alive] = [await bare(server.url, secret, { autoPong: false }), await bare(server.url, secret)]
  const pings = { dead: 0, alive: 0 }
  dead.socket.on('ping', () => pings.dead++)
  alive.socket.on('ping', () => pings.alive++)
  vi.advanceTimersByTime(12_000)
  await until(async () => pings.dead === 1 && pings.alive === 1)
  // Its pong has arrived when what was sent after it is answered.
  alive.send({ type: 'ping' })
  await until(async () => alive.types.includes('pong'))
  vi.advanceTimersByTime(12_000)
  expect(await dead.closed).toBe(1006)
  await until(async () => pings.alive === 2)
  expect(pings.dead).toBe(1)
})

test('an operation whose id has more than 255 characters ends the socket: every message about it would repeat it', async () => {
  const { secret } = await freshProject(world)
  const { send, types, closed } = await bare(url, secret)
  const ask = (length: number): void => send({ type: 'subscribe', id: 'i'.repeat(length), payload: { query: '{ __typename }' } })
  ask(255)
  await until(async () => types.includes('complete'))
  const logged = vi.spyOn(world.log, 'error')
  ask(256)
  expect(await closed).toBe(4400)
  expect(logged).not.toHaveBeenCalled()
  expect(types).toEqual(['connection_ack', 'next', 'complete'])
})

test('a message in very many fragments is cut off, and one in some is read', async () => {
  const { secret } = await freshProject(world)
  const { socket, types, closed } = await bare(url, secret)
  socket.send('{"type":', { fin: false })
  for (let at = 0; at < 60; at++) socket.send(' ', { fin: false })
  socket.send('"ping"}')
  await until(async () => types.includes('pong'))
  for (let at = 0; at < 100; at++) socket.send(' ', { fin: false })
  expect([1006, 1008]).toContain(await closed)
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
  expect(performance.now() - began).toBeLessThan(atPace(5_000))
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
