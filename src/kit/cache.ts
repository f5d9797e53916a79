import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'
import type { Notices, Topic } from './notices.ts'

/** What bounds a cache. One that is full drops what was used least recently. */
export interface Bounds<Key, Value> {
  /** Entries at most. */
  max: number
  /** Bytes at most, as `weigh` counts them (from 1); an entry that is heavier alone is not stored. */
  weight?: { max: number; weigh(value: Value, key: Key): number }
  /** An entry is not answered any more when it is so old. Default: it does not age. */
  ttlMs?: number
  /** Where ages are read; default: the machine's monotonic clock, which nobody can turn back. */
  clock?: Clock
}

/** Values in memory, bounded, by key. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  /** What is stored, or else what `make` answers, stored from now on. */
  getOrMake(key: Key, make: () => Value): Value
}

/** Keeps the most recently used values that this process can make again by itself. */
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

/** How a cache of answers looks up, what it stores and what empties it. */
export interface CachePlan<Key, Answer> extends Bounds<string, Entry<Key, Answer>> {
  look(key: Key): Promise<Answer>
  /** The text that tells keys apart. Default: the key itself as text. */
  nameOf?: (key: Key) => string
  /** Whether an answer is worth storing. Default: everything but null, undefined and false. */
  stores?: (answer: Answer) => boolean
  /** Whether callers join a look-up of the same key that is under way. Default true; false where a caller must see its own change at once. */
  joins?: boolean
  /** What empties it; while notices do not arrive, nothing is answered from the cache. */
  emptiedBy?: { notices: Notices; topics: EmptiedBy<Key, Answer>[] }
}

/** Which entries a notice empties: those `touches` says, for the keys of the notice; all when a notice does not say which. */
export interface EmptiedBy<Key, Answer> {
  topic: Topic
  touches(changed: readonly string[], entry: Entry<Key, Answer>): boolean
}

/** One stored answer. */
export interface Entry<Key, Answer> {
  key: Key
  answer: Answer
}

/** Answers of look-ups, cached. */
export interface Cache<Key, Answer> {
  /** The cached answer, or undefined. */
  get(key: Key): Answer | undefined
  /** The cached answer, or that of a look-up. Fails as the look-up does; a failure is not stored. */
  find(key: Key): Promise<Answer>
  /** The answer of a new look-up, whatever is cached. */
  refresh(key: Key): Promise<Answer>
  /** Forgets the entries `touched` names, and every look-up under way. */
  forget(touched: (entry: Entry<Key, Answer>) => boolean): void
}

/**
 * A cache of what look-ups answer. An answer asked for before a notice came (or before `forget`) is neither stored nor
 * given to anyone who came after it, and no answer replaces one that was asked for later. Ages count from when an answer
 * was asked for.
 */
export function createCache<Key, Answer>(plan: CachePlan<Key, Answer>): Cache<Key, Answer> {
  const { look, nameOf = String, stores = isSomething, joins = true, emptiedBy } = plan
  const { lru, now } = openLru<string, Stored<Key, Answer>>(plan)
  // The newest look-up of each key, for others to join.
  const underWay = new Map<string, Promise<Answer>>()
  let asked = 0
  // Look-ups up to this one have been overtaken.
  let overtaken = 0
  const trusted = (): boolean => emptiedBy?.notices.connected() ?? true
  const cachedUnder = (name: string): Answer | undefined => (trusted() ? lru.get(name)?.answer : undefined)

  for (const { topic, touches } of emptiedBy?.topics ?? []) {
    emptiedBy?.notices.listen(topic, (changed) => forget((entry) => changed === null || touches(changed, entry)))
  }

  function forget(touched: (entry: Entry<Key, Answer>) => boolean): void {
    overtaken = asked
    underWay.clear()
    for (const [name, entry] of [...lru.entries()]) if (touched(entry)) lru.delete(name)
  }

  async function lookUp(key: Key, name: string): Promise<Answer> {
    const order = ++asked
    const start = now()
    const answer = await look(key)
    const isNewest = order > (lru.peek(name)?.order ?? 0)
    if (order > overtaken && isNewest && trusted() && stores(answer)) lru.set(name, { key, answer, order }, { start })
    return answer
  }

  function ask(key: Key, name: string): Promise<Answer> {
    const answer = lookUp(key, name)
    underWay.set(name, answer)
    const done = (): void => {
      if (underWay.get(name) === answer) underWay.delete(name)
    }
    answer.then(done, done)
    return answer
  }

  return {
    forget,
    get: (key) => cachedUnder(nameOf(key)),
    async find(key) {
      const name = nameOf(key)
      const cached = cachedUnder(name)
      if (cached !== undefined) return cached
      const joined = joins && trusted() ? underWay.get(name) : undefined
      return joined ?? ask(key, name)
    },
    refresh: async (key) => ask(key, nameOf(key)),
  }
}

interface Stored<Key, Answer> extends Entry<Key, Answer> {
  /** The place of its look-up in the order they began. */
  order: number
}

function isSomething(answer: unknown): boolean {
  return answer !== null && answer !== undefined && answer !== false
}

function openLru<Key extends {}, Value extends {}>({ max, weight, ttlMs, clock }: Bounds<Key, Value>) {
  const now = (): number => clock?.now().getTime() ?? performance.now()
  const lru = new LRUCache<Key, Value>({
    max,
    ...(weight && { maxSize: weight.max, sizeCalculation: (value, key) => Math.max(1, Math.ceil(weight.weigh(value, key))) }),
    // lru-cache still answers an entry exactly as old as its ttl. It reads the time each time: a test may turn the clock.
    ...(ttlMs !== undefined && { ttl: ttlMs - 1, ttlResolution: 0, perf: { now } }),
  })
  return { lru, now }
}
