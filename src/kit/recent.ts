import { LRUCache } from 'lru-cache'

/** The limits of a cache. A full cache drops the least recently used entry. */
export interface Bounds<Key, Value> {
  /** Maximum number of entries. */
  max: number
  /** Maximum bytes, as `weigh` counts them (at least 1 per entry); an entry that alone exceeds them is not stored. */
  weight?: { max: number; weigh(value: Value, key: Key): number }
  /** Entries expire at this age. Default: never. */
  ttlMs?: number
  /** The clock for ages. Default: the machine's monotonic clock, which cannot be set back. */
  clock?: { now(): Date }
}

/** Values in memory, bounded, by key. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  /** The stored value, or else the result of `make`, which is then stored. */
  getOrMake(key: Key, make: () => Value): Value
}

/** Caches the most recently used values that this process can compute again by itself. */
export function recent<Key extends {}, Value extends {}>(bounds: Bounds<Key, Value>): Recent<Key, Value> {
  const { lru } = openLru(bounds)
  return {
    get: (key) => lru.get(key),
    set: (key, value) => void lru.set(key, value),
    getOrMake(key, make) {
      const cached = lru.get(key)
      if (cached !== undefined) return cached
      const made = make()
      lru.set(key, made)
      return made
    },
  }
}

/** A cache within bounds, and the time by which its ages are measured. */
export function openLru<Key extends {}, Value extends {}>({ max, weight, ttlMs, clock }: Bounds<Key, Value>) {
  const now = (): number => clock?.now().getTime() ?? performance.now()
  const lru = new LRUCache<Key, Value>({
    max,
    ...(weight && { maxSize: weight.max, sizeCalculation: (value, key) => Math.max(1, Math.ceil(weight.weigh(value, key))) }),
    // lru-cache still returns an entry exactly as old as its ttl. It must read the time on every call: a test may turn the clock.
    ...(ttlMs !== undefined && { ttl: ttlMs - 1, ttlResolution: 0, perf: { now } }),
  })
  return { lru, now }
}
