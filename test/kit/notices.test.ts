import { afterAll, expect, test, vi } from 'vitest'
import { announceEverywhere } from '../../src/kit/announce.ts'
import { createLog } from '../../src/kit/log.ts'
import { createNotices, type Listener, type Notices, topic } from '../../src/kit/notices.ts'
import { openDatabase } from '../../src/kit/postgres/db.ts'
import { proxyTo } from '../help/proxy.ts'
import { until } from '../help/until.ts'
import { freshDatabase } from '../help/world.ts'

const url = await freshDatabase()
const db = openDatabase(url, 2, () => {})
const opened: Notices[] = []
afterAll(async () => {
  await Promise.all(opened.map((notices) => notices.close()))
  await db.close()
})

async function open(at = url): Promise<Notices> {
  const notices = createNotices(at, db, createLog('silent'), { everyMs: 50, timeoutMs: 200 })
  opened.push(notices)
  await notices.start()
  return notices
}

/** Collects the notices of a new topic, because the tests share a channel. */
let serial = 0
function collected(on: Notices) {
  const about = topic(`test ${serial++}`)
  const notices: (readonly string[] | null)[] = []
  on.listen(about, (keys) => notices.push(keys))
  return { about, notices, keys: () => notices.flatMap((keys) => [...(keys ?? ['anything'])]) }
}

test('a topic is declared once', () => {
  topic('test twice')
  expect(() => topic('test twice')).toThrow(/declared twice/)
})

test('an undeclared name is not a topic', async () => {
  const notices = await open()
  // @ts-expect-error A bare string, which could be misspelled, does not compile.
  expect(() => notices.publish('keys', 'a')).not.toThrow()
  // @ts-expect-error Nor does something that looks like a topic.
  expect(() => notices.listen({ name: 'keys' }, () => {})).not.toThrow()
})

test('a notice reaches every process, this one too; many calls are few notices', async () => {
  const [near, far] = await Promise.all([open(), open()])
  const { about, notices, keys } = collected(near)
  const others: (readonly string[] | null)[] = []
  far.listen(about, (changed) => others.push(changed))
  for (const key of ['a', 'b', 'a', 'c']) near.publish(about, key)
  await until(async () => keys().length > 0 && others.length > 0)
  expect(notices).toEqual([['a', 'b', 'c']])
  expect(others).toEqual([['a', 'b', 'c']])
})

test('a stopped listener receives nothing more', async () => {
  const notices = await open()
  const { about, keys } = collected(notices)
  let calls = 0
  const stop = notices.listen(about, () => {
    calls++
  })
  stop()
  notices.publish(about, 'a')
  await until(async () => keys().length === 1)
  expect(calls).toBe(0)
})

test.each([
  ['more than 100 keys', Array.from({ length: 101 }, (_, at) => `key ${at}`)],
  ['keys of more than the 8,000 bytes of a NOTIFY', Array.from({ length: 90 }, (_, at) => `ü${at}`.repeat(30))],
  ['one key of more than that', ['x'.repeat(9_000)]],
])('%s become "anything may have changed"', async (_what, list) => {
  const notices = await open()
  const { about, notices: arrived } = collected(notices)
  for (const key of list) notices.publish(about, key)
  await until(async () => arrived.length > 0)
  expect(arrived).toEqual([null])
})

test('a half-open connection, on which nothing is answered, counts as lost and is replaced', async () => {
  const proxy = await proxyTo(url)
  const notices = await open(proxy.url)
  const { about, notices: arrived } = collected(notices)
  notices.publish(about, 'before')
  await until(async () => arrived.length === 1)
  proxy.silence()
  await until(async () => !notices.connected(), 2_000)
  expect(arrived).toEqual([['before'], null])
  await until(async () => notices.connected())
  expect(arrived).toEqual([['before'], null, null])
  notices.publish(about, 'after')
  await until(async () => arrived.length === 4)
  expect(arrived.at(-1)).toEqual(['after'])
})

test('what cannot be sent is sent once Postgres takes it again, as "anything may have changed" where it is much', async () => {
  const notices = await open()
  const unavailable = new Error('Postgres is unavailable')
  const away = vi.spyOn(db, 'run').mockRejectedValue(unavailable)
  const [few, many] = [collected(notices), collected(notices)]
  notices.publish(few.about, 'a')
  for (let n = 0; n < 1_000; n++) notices.publish(many.about, `key ${n}`)
  await until(async () => away.mock.calls.length > 2)
  away.mockRestore()
  await until(async () => few.notices.length + many.notices.length === 2)
  expect(few.notices).toEqual([['a']])
  expect(many.notices).toEqual([null])
})

test('what waits to be sent when a process closes is sent', async () => {
  const far = await open()
  const near = await open()
  const { about, keys } = collected(far)
  near.publish(about, 'a')
  await near.close()
  await until(async () => keys().includes('a'))
})

test('a half-open connection does not keep a process from closing', async () => {
  const proxy = await proxyTo(url)
  const notices = createNotices(proxy.url, db, createLog('silent'), { everyMs: 60_000, timeoutMs: 200 })
  await notices.start()
  proxy.silence()
  await notices.close()
})

test('announceEverywhere returns after its own notice has come back, not an earlier one of the same key, and stops listening', async () => {
  const about = topic('test announced')
  const listeners = new Set<Listener>()
  const published: string[] = []
  const arrive: Listener = (keys) => {
    for (const listener of [...listeners]) listener(keys)
  }
  const held: Notices = {
    publish: (_topic, key) => void published.push(key),
    listen(_topic, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connected: () => true,
    start: async () => {},
    close: async () => {},
  }
  const announced = announceEverywhere(held, about, 'a')
  expect(published).toContain('a')
  arrive(['a'])
  expect(await Promise.race([announced, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
  expect(listeners.size).toBe(1)
  arrive(published)
  await announced
  expect(listeners.size).toBe(0)
})

test('announceEverywhere sends its key to every process', async () => {
  const [near, far] = await Promise.all([open(), open()])
  const { about } = collected(near)
  const others: string[] = []
  far.listen(about, (changed) => others.push(...(changed ?? [])))
  await announceEverywhere(near, about, 'a')
  await until(async () => others.includes('a'))
})
