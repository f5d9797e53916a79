import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { holdUnread } from '../../src/server/unread.ts'
import { asker } from '../help/ask.ts'
import { appendLines } from '../help/lines.ts'
import { bearer, openStream, watching } from '../help/live.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { url, world, call } = await testServer({ running: true })
const query = 'subscription { activity { cursor metadata } }'
const megabyte = 1024 * 1024

// As if other streams of a key and an address had so much unread.
function unread(projectId: string, address: string, bytes: number) {
  const held = holdUnread(callIn(world, { projectId, client: { address }, actor: { kind: 'key', key: 'SECRET', projectDisabled: false } }))
  held.add(bytes)
  return held
}

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
  await until(async () => {
    const isRoom = held.add(32 * megabyte)
    held.add(-32 * megabyte)
    return isRoom
  })
  held.release()
})

describe('a large answer', () => {
  const read = '{ contacts(first: 100) { nodes { data } } }'
  const fill = statement<object>(
    'test_fill_large',
    `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
     select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, jsonb_build_object('text', repeat('x', 120000)), $2, $2 from generate_series(1, 30) n`,
  )
  const withLarge = async () => {
    const project = await freshProject(world)
    await world.db.run(fill, [project.projectId, world.clock.now()])
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
