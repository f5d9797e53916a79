import type { Notices, Topic } from './notices.ts'
import { type Bounds, openLru } from './recent.ts'

/** How a cache loads answers, which it stores and what empties it. */
export interface CachePlan<Key, Answer> extends Bounds<string, Entry<Key, Answer>> {
  load(key: Key): Promise<Answer>
  /** A text that is different for every key. Default: the key itself as text. */
  nameOf?: (key: Key) => string
  /** Whether an answer is stored. Default: every answer except null, undefined and false. */
  stores?: (answer: Answer) => boolean
  /** Whether callers share a running look-up of the same key. Default true; false where a caller must see its own change. */
  joins?: boolean
  /** What empties it; while notices do not arrive, nothing is answered from the cache. */
  emptiedBy?: { notices: Notices; topics: EmptiedBy<Key, Answer>[] }
}

/** Which entries a notice removes: those for which `touches` returns true; all when the notice carries no keys. */
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
  /** The answer of a new look-up, regardless of what is cached. */
  refresh(key: Key): Promise<Answer>
  /** Removes the entries for which `touched` returns true, and ignores the result of every running look-up. */
  forget(touched: (entry: Entry<Key, Answer>) => boolean): void
}

/**
 * A cache of look-ups. The answer of a look-up that began before a notice (or before `forget`) is neither stored nor given
 * to callers that came after it, and an answer never replaces that of a later look-up. Ages count from the start of the
 * look-up.
 */
export function createCache<Key, Answer>(plan: CachePlan<Key, Answer>): Cache<Key, Answer> {
  const { load, nameOf = String, stores = isSomething, joins = true, emptiedBy } = plan
  const { lru, now } = openLru<string, Stored<Key, Answer>>(plan)
  // The newest running look-up of each key, for others to share.
  const underWay = new Map<string, Promise<Answer>>()
  let asked = 0
  // The results of look-ups up to this number may be outdated.
  let outdated = 0
  const trusted = (): boolean => emptiedBy?.notices.connected() ?? true
  const cachedUnder = (name: string): Answer | undefined => (trusted() ? lru.get(name)?.answer : undefined)

  for (const { topic, touches } of emptiedBy?.topics ?? []) {
    emptiedBy?.notices.listen(topic, (changed) => forget((entry) => changed === null || touches(changed, entry)))
  }

  function forget(touched: (entry: Entry<Key, Answer>) => boolean): void {
    outdated = asked
    underWay.clear()
    for (const [name, entry] of [...lru.entries()]) if (touched(entry)) lru.delete(name)
  }

  async function lookUp(key: Key, name: string): Promise<Answer> {
    const order = ++asked
    const start = now()
    const answer = await load(key)
    const isNewest = order > (lru.peek(name)?.order ?? 0)
    if (order > outdated && isNewest && trusted() && stores(answer)) lru.set(name, { key, answer, order }, { start })
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
  /** The number of its look-up, in the order they began. */
  order: number
}

function isSomething(answer: unknown): boolean {
  return answer !== null && answer !== undefined && answer !== false
}
