import { expect, test, vi } from 'vitest'
import { createCache } from '../../src/kit/cache.ts'
import { type Listener, type Notices, topic } from '../../src/kit/notices.ts'
import { recent } from '../../src/kit/recent.ts'

const rowsTopic = topic('test rows')

/** Notices that arrive when the test sends them. */
function ownNotices() {
  const listeners = new Set<Listener>()
  let connected = true
  const notices: Notices = {
    publish: () => {},
    listen(_topic, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connected: () => connected,
    start: async () => {},
    close: async () => {},
  }
  const arrive: Listener = (keys) => {
    for (const listener of listeners) listener(keys)
  }
  return {
    notices,
    arrive,
    // As the real ones do: they call listeners when the connection is lost and when it is back.
    connect(now: boolean) {
      connected = now
      arrive(null)
    },
  }
}

/** A cache whose look-ups the test ends, in any order. */
function heldCache(more: { joins?: boolean } = {}) {
  const lookUps: PromiseWithResolvers<string | null>[] = []
  const { notices, arrive, connect } = ownNotices()
  const cache = createCache({
    max: 100,
    load: (_key: string) => {
      const lookUp = Promise.withResolvers<string | null>()
      lookUps.push(lookUp)
      return lookUp.promise
    },
    emptiedBy: { notices, topics: [{ topic: rowsTopic, touches: (changed, { key }) => changed.includes(key) }] },
    ...more,
  })
  return { cache, lookUps, arrive, connect }
}

test('an answer is looked up once and then cached; failures and empty answers are not', async () => {
  const { cache, lookUps } = heldCache()
  const failing = cache.find('a')
  lookUps[0]?.reject(new Error('unavailable'))
  await expect(failing).rejects.toThrow('unavailable')
  const missing = cache.find('a')
  lookUps[1]?.resolve(null)
  expect(await missing).toBeNull()
  const found = cache.find('a')
  lookUps[2]?.resolve('A')
  expect(await found).toBe('A')
  expect(await cache.find('a')).toBe('A')
  expect(cache.get('a')).toBe('A')
  expect(lookUps).toHaveLength(3)
})

test('callers of one key at the same moment share one look-up, also its failure; those of another key do not', async () => {
  const { cache, lookUps } = heldCache()
  const calls = [cache.find('a'), cache.find('a'), cache.find('b')]
  expect(lookUps).toHaveLength(2)
  lookUps[0]?.resolve('A')
  lookUps[1]?.resolve('B')
  expect(await Promise.all(calls)).toEqual(['A', 'A', 'B'])
  const failing = [cache.find('c'), cache.find('c')]
  lookUps[2]?.reject(new Error('unavailable'))
  for (const call of failing) await expect(call).rejects.toThrow('unavailable')
})

test('without joins every caller does its own look-up', async () => {
  const { cache, lookUps } = heldCache({ joins: false })
  const calls = [cache.find('a'), cache.find('a')]
  lookUps[0]?.resolve(null)
  lookUps[1]?.resolve('A')
  expect(await Promise.all(calls)).toEqual([null, 'A'])
})

test('a notice removes the entries of its keys, and one without keys removes all', async () => {
  const { cache, lookUps, arrive } = heldCache()
  const calls = [cache.find('a'), cache.find('b')]
  lookUps[0]?.resolve('A')
  lookUps[1]?.resolve('B')
  await Promise.all(calls)
  arrive(['a'])
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B'])
  arrive(null)
  expect(cache.get('b')).toBeUndefined()
})

test('a look-up that began before a notice is not stored, and callers after the notice do not get its answer', async () => {
  const { cache, lookUps, arrive } = heldCache()
  const before = cache.find('a')
  arrive(['a'])
  const after = cache.find('a')
  expect(lookUps).toHaveLength(2)
  lookUps[1]?.resolve('new')
  expect(await after).toBe('new')
  lookUps[0]?.resolve('old')
  expect(await before).toBe('old')
  expect(cache.get('a')).toBe('new')
})

test('the same holds when the old answer arrives first', async () => {
  const { cache, lookUps, arrive } = heldCache()
  const before = cache.find('a')
  arrive(['a'])
  lookUps[0]?.resolve('old')
  expect(await before).toBe('old')
  expect(cache.get('a')).toBeUndefined()
  const after = cache.find('a')
  lookUps[1]?.resolve('new')
  expect(await after).toBe('new')
})

test('forget removes what it touches and ignores running look-ups, as a notice does', async () => {
  const { cache, lookUps } = heldCache()
  const first = cache.find('a')
  lookUps[0]?.resolve('A')
  await first
  const ignored = cache.find('b')
  cache.forget(({ key }) => key === 'a')
  lookUps[1]?.resolve('B')
  await ignored
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
})

test('an answer never replaces that of a later look-up', async () => {
  const { cache, lookUps } = heldCache()
  const older = cache.refresh('a')
  const newer = cache.refresh('a')
  lookUps[1]?.resolve('newer')
  await newer
  lookUps[0]?.resolve('older')
  expect(await older).toBe('older')
  expect(cache.get('a')).toBe('newer')
})

test('answers are stored also when every look-up begins before the previous one has ended', async () => {
  const { cache, lookUps } = heldCache()
  const calls = [cache.refresh('a')]
  for (let at = 0; at < 3; at++) {
    calls.push(cache.refresh('a'))
    lookUps[at]?.resolve(`answer ${at}`)
    await calls[at]
    expect(cache.get('a')).toBe(`answer ${at}`)
  }
})

test('while notices do not arrive nothing is cached or shared, and cached answers are not used', async () => {
  const { cache, lookUps, connect } = heldCache()
  const first = cache.find('a')
  lookUps[0]?.resolve('before')
  await first
  const underWay = cache.find('b')
  connect(false)
  expect(cache.get('a')).toBeUndefined()
  const calls = [cache.find('a'), cache.find('a')]
  lookUps[2]?.resolve('x')
  lookUps[3]?.resolve('y')
  expect(await Promise.all(calls)).toEqual(['x', 'y'])
  const asked = cache.find('a')
  connect(true)
  lookUps[1]?.resolve('old')
  lookUps[4]?.resolve('old')
  await Promise.all([underWay, asked])
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  const again = cache.find('a')
  lookUps[5]?.resolve('new')
  await again
  expect(cache.get('a')).toBe('new')
})

test('ages count from the start of the look-up, by the given clock', async () => {
  let now = 1_000
  const clock = { now: () => new Date(now), aheadMs: 0 }
  const lookUp = Promise.withResolvers<string>()
  const cache = createCache({ max: 10, ttlMs: 100, clock, load: (_key: string) => lookUp.promise })
  const call = cache.find('a')
  now += 60
  lookUp.resolve('A')
  await call
  now += 39
  expect(cache.get('a')).toBe('A')
  now += 1
  expect(cache.get('a')).toBeUndefined()
})

test('without a clock, ages are measured with the monotonic clock of the machine', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  try {
    const cache = createCache({ max: 10, ttlMs: 100, load: async (key: string) => key })
    vi.advanceTimersByTime(1_000)
    await cache.find('a')
    // A wall clock that is set back, or far ahead, changes nothing.
    vi.setSystemTime(0)
    vi.advanceTimersByTime(99)
    expect(cache.get('a')).toBe('a')
    vi.advanceTimersByTime(1)
    expect(cache.get('a')).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('a full cache drops the least recently used entry only', async () => {
  const cache = createCache({ max: 3, load: async (key: string) => key })
  for (const key of ['a', 'b', 'c']) await cache.find(key)
  cache.get('a')
  await cache.find('d')
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd'])
})

test('an entry is weighed once, also when its key is looked up again during its look-up', async () => {
  const lookUps: PromiseWithResolvers<string>[] = []
  const cache = createCache({
    max: 100,
    weight: { max: 10, weigh: ({ answer }) => answer.length },
    load: (_key: string) => {
      const lookUp = Promise.withResolvers<string>()
      lookUps.push(lookUp)
      return lookUp.promise
    },
  })
  const calls = [cache.find('a'), cache.refresh('a'), cache.refresh('a'), cache.find('b')]
  for (const lookUp of lookUps) lookUp.resolve('12345')
  await Promise.all(calls)
  // Both fit only if "a" was counted once.
  expect([cache.get('a'), cache.get('b')]).toEqual(['12345', '12345'])
  const heavy = cache.find('c')
  lookUps.at(-1)?.resolve('12345678901')
  expect(await heavy).toBe('12345678901')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['12345', '12345', undefined])
})

test('an entry that is evicted while it is looked up again is weighed once', async () => {
  const lookUps: PromiseWithResolvers<string>[] = []
  const cache = createCache({
    max: 100,
    weight: { max: 10, weigh: ({ answer }) => answer.length },
    load: (_key: string) => {
      const lookUp = Promise.withResolvers<string>()
      lookUps.push(lookUp)
      return lookUp.promise
    },
  })
  const load = async (key: string) => {
    const call = cache.find(key)
    lookUps.at(-1)?.resolve('1234')
    await call
  }
  await load('a')
  const again = cache.refresh('a')
  const held = lookUps.at(-1)
  for (const key of ['b', 'c']) await load(key)
  expect(cache.get('a')).toBeUndefined()
  held?.resolve('1234')
  await again
  // If "a" was counted twice, nothing else would fit beside it.
  await load('d')
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['1234', undefined, undefined, '1234'])
})

test('recent values are limited by weight, and computed once', () => {
  const texts = recent<string, string>({ max: 100, weight: { max: 10, weigh: (text, key) => text.length + key.length } })
  let made = 0
  const make = () => {
    made++
    return '1234'
  }
  for (const key of ['a', 'b', 'a', 'b', 'a']) expect(texts.getOrMake(key, make)).toBe('1234')
  expect(made).toBe(2)
  texts.getOrMake('c', make)
  expect(['a', 'b', 'c'].map((key) => texts.get(key))).toEqual(['1234', undefined, '1234'])
})
