import { expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { holdUnread } from '../../../src/server/graphql/unread.ts'
import { appendLines } from '../../help/lines.ts'
import { bearer, openStream, watching } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

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
