import { rotations } from '../smtp/pool/place.ts'
import { type Priority, priorities, type User } from '../smtp/pool/shares.ts'
import { createLimit } from './limit.ts'

/** The turn of one message, whose answer says how many others may follow. */
export interface Turn {
  accepted(): void
  /** It was refused because of how many messages were sent. */
  throttled(): void
  /** Nothing was sent: the next one takes it. */
  unused(): void
}

/** Messages take turns at the rate that a server takes from this process, which is learned. Nothing waits before it throttles one. */
export interface AdaptiveRate {
  /**
   * Waits for a turn: urgent messages before others, of which some go in between; owners of the same priority in turn. Null when the signal
   * is aborted before.
   */
  turn(user: User): Promise<Turn | null>
  /** How many messages of an owner are enough to be under way, so that none waits long; Infinity while there is no limit. */
  maxUnderWay(): number
}

// A timer may be late: what it missed meanwhile is made good.
const maxBehindMs = 50
// Every tenth turn is one for what is not urgent.
const everyOther = 10
const underWaySeconds = 2
const minUnderWay = 5
const secondMs = 1_000

interface Waiter {
  grant(turn: Turn | null): void
}

/** Begins without a limit; `limited` is called with the first one. Nobody waits any more once `signal` is aborted. */
export function createAdaptiveRate(signal: AbortSignal, limited: (perSecond: number) => void): AdaptiveRate {
  const limit = createLimit()
  const waiting = createWaiting()
  let nextAt = 0
  let timer: NodeJS.Timeout | undefined
  const intervalMs = (): number => secondMs / limit.perSecond()

  function take(now: number, waited: boolean): Turn {
    nextAt = Math.max(nextAt, now - maxBehindMs) + intervalMs()
    return {
      accepted: () => limit.accepted(waited),
      throttled() {
        const isFirst = limit.throttled(now)
        nextAt = Math.max(nextAt, performance.now() + intervalMs())
        if (isFirst) limited(limit.perSecond())
      },
      unused() {
        nextAt -= intervalMs()
        wake()
      },
    }
  }

  function give(): void {
    timer = undefined
    for (let now = performance.now(); waiting.any() && nextAt <= now; ) waiting.next()?.grant(take(now, true))
    wake()
  }

  // The rate rises while one waits: it is looked at again every second.
  function wake(): void {
    clearTimeout(timer)
    const waitMs = Math.min(nextAt - performance.now(), secondMs)
    timer = waiting.any() ? setTimeout(give, Math.max(0, waitMs)) : undefined
  }

  signal.addEventListener('abort', () => {
    while (waiting.any()) waiting.next()?.grant(null)
    wake()
  })

  return {
    async turn(user) {
      if (signal.aborted) return null
      const now = performance.now()
      if (!waiting.any() && nextAt <= now) return take(now, false)
      const { promise, resolve } = Promise.withResolvers<Turn | null>()
      waiting.add(user, { grant: resolve })
      if (!timer) wake()
      return promise
    },
    maxUnderWay() {
      const perSecond = limit.perSecond()
      return Number.isFinite(perSecond) ? Math.max(minUnderWay, Math.ceil(perSecond * underWaySeconds)) : perSecond
    },
  }
}

interface Waiting {
  add(user: User, waiter: Waiter): void
  any(): boolean
  next(): Waiter | undefined
}

function createWaiting(): Waiting {
  const waiting = rotations<Waiter>()
  let given = 0
  return {
    add: ({ priority, owner }, waiter) => waiting[priority].add(owner, waiter),
    any: () => priorities.some((priority) => !waiting[priority].isEmpty()),
    next() {
      given++
      const lower: Priority[] = given % (2 * everyOther) === 0 ? ['bulk', 'normal'] : ['normal', 'bulk']
      const order = given % everyOther === 0 ? [...lower, 'urgent' as const] : priorities
      const first = order.find((priority) => !waiting[priority].isEmpty())
      return first && waiting[first].take()
    },
  }
}
