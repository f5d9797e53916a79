import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { statement } from '../../src/kit/postgres/db.ts'
import { asker } from '../help/ask.ts'
import { appendLines } from '../help/lines.ts'
import { bearer, openStream, watching } from '../help/live.ts'
import { testServer } from '../help/server.ts'
import { holdUnreadOf, unreadBytes } from '../help/unread.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { url, world, call } = await testServer({ running: true })
const query = 'subscription { activity { cursor metadata } }'
const megabyte = 1024 * 1024

const unread = (projectId: string, address: string, bytes: number) => holdUnreadOf(world, { projectId, address, bytes })

const large = { email: 'ada@example.com', event: 'large', data: { text: { value: 'x'.repeat(100_000), persistent: false } } }

test.each([
  ['the streams of its key', (projectId: string) => unread(projectId, '192.0.2.9', 33 * megabyte)],
  ['the streams of its address', () => unread('prj_other', '127.0.0.1', 33 * megabyte)],
])('an event stream is cut off by a large event while %s leave 32 MB unread; small events pass', async (_whose, fill) => {
  const { projectId, secret } = await freshProject(world)
  const stream = await openStream(url, query, bearer(secret))
  await until(async () => (await watching(world)) === 1)
  const held = fill(projectId)
  await appendLines(world, projectId, 'small')
  await until(async () => stream.text().includes('"eventName":"small"'))
  expect((await call('POST /v1/track', large, { key: secret })).status).toBe(200)
  await stream.over
  expect(stream.text()).not.toContain('"eventName":"large"')
  await until(async () => (await watching(world)) === 0)
  held.release()

  const again = await openStream(url, query, bearer(secret))
  await until(async () => (await watching(world)) === 1)
  expect((await call('POST /v1/track', large, { key: secret })).status).toBe(200)
  await until(async () => again.text().includes('"eventName":"large"'))
})

test('what streams have been sent counts only until it is read', async () => {
  const { projectId, secret } = await freshProject(world)
  const stream = await openStream(url, query, bearer(secret))
  await until(async () => (await watching(world)) === 1)
  for (let at = 0; at < 3; at++) expect((await call('POST /v1/track', large, { key: secret })).status).toBe(200)
  await until(async () => stream.text().split('"eventName":"large"').length === 4)
  const held = unread(projectId, '127.0.0.1', 0)
  await until(async () => held.full(32 * megabyte) === undefined)
  held.release()
})

describe('a large answer', () => {
  const read = '{ contacts(first: 100) { nodes { data } } }'
  const fill = statement<object>(
    'test_fill_large',
    `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
     select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, jsonb_build_object('text', repeat('x', 120000)), $2, $2 from generate_series(1, $3::int) n`,
  )
  const withLarge = async (contacts = 30) => {
    const project = await freshProject(world)
    await world.db.run(fill, [project.projectId, world.clock.now(), contacts])
    return project
  }

  test.each([
    ['its key', (projectId: string) => unread(projectId, '192.0.2.9', 33 * megabyte)],
    ['its address', () => unread('prj_other', '127.0.0.1', 33 * megabyte)],
  ])('is 503 while %s has 32 MB unread; small ones are answered', async (_whose, occupy) => {
    const { projectId, secret } = await withLarge()
    const held = occupy(projectId)
    const { status, body, headers } = await call('GET /contacts?limit=100', undefined, { key: secret })
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
    const answer = await asker(url, secret)(read)
    expect(answer.errors[0]?.extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503 })
    expect((await call('GET /contacts/fields', undefined, { key: secret })).status).toBe(200)
    held.release()
    expect((await call('GET /contacts?limit=100', undefined, { key: secret })).body.data).toHaveLength(30)
    expect((await asker(url, secret)(read)).errors).toEqual([])
  })

  /** Asks for a list, and reads no more than its beginning. */
  const begun = async (secret: string) => {
    const before = await unreadBytes(world)
    const asked = request(`${url}/contacts?limit=100`, { headers: bearer(secret), agent: false })
    onTestFinished(() => void asked.destroy())
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage]
    return { response, bytes: (await unreadBytes(world)) - before }
  }
  const complete = ({ response }: { response: IncomingMessage }) =>
    response.toArray().then(
      () => true,
      () => false,
    )

  test('is cut off after 5 minutes, however its reader reads', async () => {
    // More than a connection takes in that is not read.
    const { secret } = await withLarge(90)
    const one = await begun(secret)
    world.clock.turn(5 * 60_000)
    await until(async () => (await unreadBytes(world)) === 0)
    expect(await complete(one)).toBe(false)
    world.clock.turn(-5 * 60_000)
  })

  describe('while all callers together have 256 MB unread', () => {
    const addresses = [1, 2, 3, 4, 5, 6, 7, 8]
    const fillAll = () => addresses.map((last) => unread(`prj_${last}`, `192.0.2.${last}`, 32.5 * megabyte))

    test('is sent to those who have read theirs, and 503 to those who have not, who are told why', async () => {
      const { projectId, secret } = await withLarge()
      const held = [...fillAll(), unread(projectId, '192.0.2.9', megabyte)]
      expect((await call('GET /contacts?limit=100', undefined, { key: secret })).body.data).toHaveLength(30)
      expect((await asker(url, secret)(read)).errors).toEqual([])
      held.push(unread(projectId, '192.0.2.9', 1))
      const { status, body, headers } = await call('GET /contacts?limit=100', undefined, { key: secret })
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
      expect(body.error.message).toBe(
        'All callers together have not read 256 MB of answers, more than 1 MB of them answers to this key or address.',
      )
      const answer = await asker(url, secret)(read)
      expect(answer.errors[0]).toMatchObject({ message: body.error.message, extensions: { code: 'SERVICE_UNAVAILABLE', statusCode: 503 } })
      for (const one of held) one.release()
    })

    test('is cut off when it has been unread for 10 s, the longest first', async () => {
      const { secret } = await withLarge(90)
      const first = await begun(secret)
      world.clock.turn(5_000)
      const second = await begun(secret)
      expect([first.bytes, second.bytes]).toEqual([first.bytes, first.bytes])
      world.clock.turn(5_000)
      const held = fillAll()
      expect(await complete(first)).toBe(false)
      expect(await complete(second)).toBe(true)
      for (const one of held) one.release()
      world.clock.turn(-10_000)
    })
  })

  test('that is never read keeps no turn: the next large body of its project is answered while it waits, and after its caller left', async () => {
    const { secret } = await withLarge()
    const large = JSON.stringify({ query: read, variables: { pad: 'x'.repeat(3_000_000) } })
    const ask = () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
      const head = ['POST /graphql HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`, 'Content-Type: application/json']
      socket.write([...head, `Content-Length: ${large.length}`, '', large].join('\r\n'))
      return socket
    }
    const next = () => call('POST /v1/send', { to: 'ada@example.com', subject: 'x'.repeat(3_000_000) }, { key: secret })
    const sockets = [ask(), ask()]
    await until(async () => (await next()).status === 422)
    for (const socket of sockets) socket.destroy()
    expect((await next()).status).toBe(422)
  })
})
