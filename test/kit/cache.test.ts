import { expect, test, vi } from 'vitest'
import { createCache, recent } from '../../src/kit/cache.ts'
import { type Listener, type Notices, topic } from '../../src/kit/notices.ts'

const rowsTopic = topic('test rows')

/** Notices that arrive when the test says so. */
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
    // As the real ones do: they say when the connection is lost and when it is there again.
    connect(now: boolean) {
      connected = now
      arrive(null)
    },
  }
}

/** A cache whose look-ups end when the test says so, in any order. */
function heldCache(more: { joins?: boolean } = {}) {
  const looks: PromiseWithResolvers<string | null>[] = []
  const { notices, arrive, connect } = ownNotices()
  const cache = createCache({
    max: 100,
    load: (_key: string) => {
      const look = Promise.withResolvers<string | null>()
      looks.push(look)
      return look.promise
    },
    emptiedBy: { notices, topics: [{ topic: rowsTopic, touches: (changed, { key }) => changed.includes(key) }] },
    ...more,
  })
  return { cache, looks, arrive, connect }
}

test('an answer is looked up once and then cached; a failure and "nothing" are not', async () => {
  const { cache, looks } = heldCache()
  const failing = cache.find('a')
  looks[0]?.reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  const missing = cache.find('a')
  looks[1]?.resolve(null)
  expect(await missing).toBeNull()
  const found = cache.find('a')
  looks[2]?.resolve('A')
  expect(await found).toBe('A')
  expect(await cache.find('a')).toBe('A')
  expect(cache.get('a')).toBe('A')
  expect(looks).toHaveLength(3)
})

test('callers of one key at the same moment share one look-up, also its failure; those of another key do not', async () => {
  const { cache, looks } = heldCache()
  const calls = [cache.find('a'), cache.find('a'), cache.find('b')]
  expect(looks).toHaveLength(2)
  looks[0]?.resolve('A')
  looks[1]?.resolve('B')
  expect(await Promise.all(calls)).toEqual(['A', 'A', 'B'])
  const failing = [cache.find('c'), cache.find('c')]
  looks[2]?.reject(new Error('away'))
  for (const call of failing) await expect(call).rejects.toThrow('away')
})

test('where callers must see their own change, each looks up for itself', async () => {
  const { cache, looks } = heldCache({ joins: false })
  const calls = [cache.find('a'), cache.find('a')]
  looks[0]?.resolve(null)
  looks[1]?.resolve('A')
  expect(await Promise.all(calls)).toEqual([null, 'A'])
})

test('a notice empties the entries it names, and one that names none empties all', async () => {
  const { cache, looks, arrive } = heldCache()
  const calls = [cache.find('a'), cache.find('b')]
  looks[0]?.resolve('A')
  looks[1]?.resolve('B')
  await Promise.all(calls)
  arrive(['a'])
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'B'])
  arrive(null)
  expect(cache.get('b')).toBeUndefined()
})

test('a look-up that a notice overtakes is not stored, and whoever comes after the notice does not get its answer', async () => {
  const { cache, looks, arrive } = heldCache()
  const before = cache.find('a')
  arrive(['a'])
  const after = cache.find('a')
  expect(looks).toHaveLength(2)
  looks[1]?.resolve('new')
  expect(await after).toBe('new')
  looks[0]?.resolve('old')
  expect(await before).toBe('old')
  expect(cache.get('a')).toBe('new')
})

test('so it is when the old answer arrives first', async () => {
  const { cache, looks, arrive } = heldCache()
  const before = cache.find('a')
  arrive(['a'])
  looks[0]?.resolve('old')
  expect(await before).toBe('old')
  expect(cache.get('a')).toBeUndefined()
  const after = cache.find('a')
  looks[1]?.resolve('new')
  expect(await after).toBe('new')
})

test('forget drops what it touches and overtakes look-ups as a notice does', async () => {
  const { cache, looks } = heldCache()
  const first = cache.find('a')
  looks[0]?.resolve('A')
  await first
  const overtaken = cache.find('b')
  cache.forget(({ key }) => key === 'a')
  looks[1]?.resolve('B')
  await overtaken
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
})

test('an answer never replaces one that was asked for later', async () => {
  const { cache, looks } = heldCache()
  const older = cache.refresh('a')
  const newer = cache.refresh('a')
  looks[1]?.resolve('newer')
  await newer
  looks[0]?.resolve('older')
  expect(await older).toBe('older')
  expect(cache.get('a')).toBe('newer')
})

test('under a stream of new look-ups, each begun before the last one has ended, answers are stored all the same', async () => {
  const { cache, looks } = heldCache()
  const calls = [cache.refresh('a')]
  for (let at = 0; at < 3; at++) {
    calls.push(cache.refresh('a'))
    looks[at]?.resolve(`answer ${at}`)
    await calls[at]
    expect(cache.get('a')).toBe(`answer ${at}`)
  }
})

test('while notices do not arrive nothing is cached, shared or answered from before', async () => {
  const { cache, looks, connect } = heldCache()
  const first = cache.find('a')
  looks[0]?.resolve('before')
  await first
  const underWay = cache.find('b')
  connect(false)
  expect(cache.get('a')).toBeUndefined()
  const calls = [cache.find('a'), cache.find('a')]
  looks[2]?.resolve('x')
  looks[3]?.resolve('y')
  expect(await Promise.all(calls)).toEqual(['x', 'y'])
  const asked = cache.find('a')
  connect(true)
  looks[1]?.resolve('old')
  looks[4]?.resolve('old')
  await Promise.all([underWay, asked])
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  const again = cache.find('a')
  looks[5]?.resolve('new')
  await again
  expect(cache.get('a')).toBe('new')
})

test('ages count from when the answer was asked for, by the clock where there is one', async () => {
  let now = 1_000
  const clock = { now: () => new Date(now) }
  const look = Promise.withResolvers<string>()
  const cache = createCache({ max: 10, ttlMs: 100, clock, load: (_key: string) => look.promise })
  const call = cache.find('a')
  now += 60
  look.resolve('A')
  await call
  now += 39
  expect(cache.get('a')).toBe('A')
  now += 1
  expect(cache.get('a')).toBeUndefined()
})

test('without a clock of the world, ages go by the monotonic clock of the machine', async () => {
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

test('a full cache drops what was used least recently, never everything', async () => {
  const cache = createCache({ max: 3, load: async (key: string) => key })
  for (const key of ['a', 'b', 'c']) await cache.find(key)
  cache.get('a')
  await cache.find('d')
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd'])
})

test('a weight counts once, also for a key that is looked up again while its look-up is under way', async () => {
  const looks: PromiseWithResolvers<string>[] = []
  const cache = createCache({
    max: 100,
    weight: { max: 10, weigh: ({ answer }) => answer.length },
    load: (_key: string) => {
      const look = Promise.withResolvers<string>()
      looks.push(look)
      return look.promise
    },
  })
  const calls = [cache.find('a'), cache.refresh('a'), cache.refresh('a'), cache.find('b')]
  for (const look of looks) look.resolve('12345')
  await Promise.all(calls)
  // Both fit only if "a" was counted once.
  expect([cache.get('a'), cache.get('b')]).toEqual(['12345', '12345'])
  const heavy = cache.find('c')
  looks.at(-1)?.resolve('12345678901')
  expect(await heavy).toBe('12345678901')
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['12345', '12345', undefined])
})

test('recent values are bounded by weight, and made once', () => {
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
