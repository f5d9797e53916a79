import { type Priority, priorities } from '../smtp/pool/shares.ts'

/** The turn of one message, whose answer says how many others may follow. */
export interface Turn {
  accepted(): void
  /** It was refused because of how many messages were sent. */
  throttled(): void
  /** Nothing was sent: the next one takes it. */
  unused(): void
}

/**
 * How many messages per second a server takes from this process, learned from what it throttles. There is no limit before it throttles one.
 * Then messages take turns at the rate that it had let through; the rate falls by 15 % when one is throttled that began since it last
 * fell, and rises with those that waited and are accepted, slowly around where it was throttled before (additive increase, multiplicative decrease),
 * so that processes that share a limit come to share it evenly. While fewer are sent than it allows it stays as it is.
 */
export interface AdaptiveRate {
  /** Waits for a turn: urgent ones before others, of which some go in between. Null when the signal is aborted before. */
  turn(priority: Priority): Promise<Turn | null>
}

const minPerSecond = 0.5
const fall = 0.85
// For each that is accepted, so that the rate rises by as much of itself per second: slowly around what was throttled last.
const [quickRise, slowRise] = [0.1, 0.02]
const around = 0.1
const windowMs = 1_000
// A timer may be late: what it missed meanwhile is made good.
const maxBehindMs = 50
// Every tenth turn is one for what is not urgent.
const everyOther = 10

/** Begins without a limit; `limited` is called with the first one. Nobody waits any more once `signal` is aborted. */
export function createAdaptiveRate(signal: AbortSignal, limited: (perSecond: number) => void): AdaptiveRate {
  const waiting: Record<Priority, ((turn: Turn | null) => void)[]> = { urgent: [], normal: [], bulk: [] }
  const through = createCounter()
  let perSecond = Number.POSITIVE_INFINITY
  let throttledAt = Number.POSITIVE_INFINITY
  let fellAt = Number.NEGATIVE_INFINITY
  let nextAt = 0
  let given = 0
  let timer: NodeJS.Timeout | undefined

  const isWaiting = (): boolean => priorities.some((priority) => waiting[priority].length > 0)
  const intervalMs = (): number => windowMs / perSecond

  function turnAt(beganAt: number, hasWaited: boolean): Turn {
    return {
      accepted() {
        through.add()
        if (hasWaited) perSecond += Math.abs(perSecond / throttledAt - 1) < around ? slowRise : quickRise
      },
      throttled() {
        if (beganAt <= fellAt) return
        const isFirst = perSecond === Number.POSITIVE_INFINITY
        throttledAt = perSecond
        perSecond = Math.max(minPerSecond, isFirst ? through.perSecond() : perSecond * fall)
        fellAt = performance.now()
        nextAt = Math.max(nextAt, fellAt + intervalMs())
        if (isFirst) limited(perSecond)
      },
      unused() {
        nextAt -= intervalMs()
        wake()
      },
    }
  }

  function next(): ((turn: Turn | null) => void) | undefined {
    given++
    const isOther = given % everyOther === 0
    const lower = given % (2 * everyOther) === 0 ? (['bulk', 'normal'] as const) : (['normal', 'bulk'] as const)
    const order = isOther ? [...lower, 'urgent' as const] : priorities
    return order
      .map((priority) => waiting[priority])
      .find((those) => those.length > 0)
      ?.shift()
  }

  function give(): void {
    timer = undefined
    for (let now = performance.now(); isWaiting() && nextAt <= now; ) next()?.(takeTurn(now, true))
    wake()
  }

  function takeTurn(now: number, hasWaited: boolean): Turn {
    nextAt = Math.max(nextAt, now - maxBehindMs) + intervalMs()
    return turnAt(now, hasWaited)
  }

  function wake(): void {
    clearTimeout(timer)
    timer = isWaiting() ? setTimeout(give, Math.max(0, nextAt - performance.now())) : undefined
  }

  signal.addEventListener('abort', () => {
    for (const priority of priorities) for (const grant of waiting[priority].splice(0)) grant(null)
    wake()
  })

  return {
    async turn(priority) {
      if (signal.aborted) return null
      const now = performance.now()
      if (!isWaiting() && nextAt <= now) return takeTurn(now, false)
      const { promise, resolve } = Promise.withResolvers<Turn | null>()
      waiting[priority].push(resolve)
      if (!timer) wake()
      return promise
    },
  }
}

// How many there were in this second and the one before: the larger number.
function createCounter(): { add(): void; perSecond(): number } {
  let [began, now, before] = [0, 0, 0]
  const turn = (): void => {
    const seconds = Math.floor((performance.now() - began) / windowMs)
    if (seconds === 0) return
    before = seconds === 1 ? now : 0
    now = 0
    began += seconds * windowMs
  }
  return {
    add() {
      turn()
      now++
    },
    perSecond() {
      turn()
      return Math.max(now, before)
    },
  }
}
