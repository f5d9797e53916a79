import { recent } from '../kit/recent.ts'
import type { Payer } from '../kit/thread-time.ts'

// A caller who uses more than a quarter of the thread's time has used more than its share, and all visitors together with half of it; a
// few large requests in a row do not count.
const shareOfCaller = 0.25
const shareOfVisitors = 0.5
const allowanceMs = 50
// However much it has used, it is within its share again after one or two seconds in which others are served.
const maxDebtMs = 500
const msAtOnce = 8
const maxCounted = 64
const maxRemembered = 10_000

/** What one caller, or all visitors together, have used of this thread lately. */
export interface Spender extends Payer {
  /** Counts a request. */
  begin(): void
  /** Whether it has used more than its share of the time. */
  isOver(): boolean
  /** How many of its requests together take about 8 ms of the thread, as they did lately; at least one. */
  fitting(): number
}

/** What callers have used of this thread, by their names; all that they use counts as used by `together` as well. */
export function createSpending(together?: Spender): (name: string) => Spender {
  const spenders = recent<string, Spender>({ max: maxRemembered })
  return (name) => spenders.getOrMake(name, () => createSpender(shareOfCaller, together))
}

/** What all visitors together have used of this thread. */
export function createVisitorsSpending(): Spender {
  return createSpender(shareOfVisitors)
}

function createSpender(share: number, together?: Spender): Spender {
  // What it has used beyond its share, which grows again with time.
  let debtMs = 0
  let at = performance.now()
  let totalMs = 0
  let requests = 0

  function settle(): void {
    const now = performance.now()
    debtMs = Math.max(0, debtMs - (now - at) * share)
    at = now
  }

  return {
    begin() {
      together?.begin()
      requests++
      if (requests <= maxCounted) return
      requests /= 2
      totalMs /= 2
    },
    charge(ms) {
      together?.charge(ms)
      settle()
      debtMs = Math.min(debtMs + ms, maxDebtMs)
      totalMs += ms
    },
    isOver() {
      settle()
      return debtMs > allowanceMs
    },
    fitting: () => Math.max(1, Math.floor((msAtOnce * Math.max(1, requests)) / Math.max(totalMs, 1))),
  }
}
