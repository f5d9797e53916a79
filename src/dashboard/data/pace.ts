/** Calls that follow one another at a bounded pace. */
export interface Pace {
  /** Says that something has changed. */
  changed(): void
  /** Says that all was read just now, and that something may have changed shortly before. */
  opened(): void
  /** Calls no more. */
  stop(): void
}

// Several changes that come together are read at once.
const gatherMs = 150
// Most counts have followed what happened after a second, all of them after two: what was read before is read again.
const followedMs = 1_000
/** By then the counts have surely followed what happened. */
export const settledMs = 2_500
// So many calls may follow one another faster than the pace, so that a single change is shown with its counts soon.
const burst = 3

/**
 * Calls `run` soon after a change, at most once in `everyMs` while changes go on, and again when the counts of the last change have
 * followed: what is shown is then never older than the last change.
 */
export function paced(run: () => void, everyMs: number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let plannedAt = Number.POSITIVE_INFINITY
  let nextAt = Number.NEGATIVE_INFINITY
  let settledAt = Number.NEGATIVE_INFINITY
  // When all calls so far would be over, had they kept the pace.
  let pacedAt = Number.NEGATIVE_INFINITY
  const plan = (at: number) => {
    clearTimeout(timer)
    plannedAt = at
    timer = setTimeout(call, at - Date.now())
  }
  const note = (now: number) => {
    pacedAt = Math.max(pacedAt, now) + everyMs
    nextAt = Math.max(now + followedMs, pacedAt - (burst - 1) * everyMs)
    if (settledAt > now) plan(nextAt + followedMs <= settledAt ? nextAt : Math.max(settledAt, nextAt))
  }
  const call = () => {
    plannedAt = Number.POSITIVE_INFINITY
    run()
    note(Date.now())
  }
  return {
    changed() {
      const now = Date.now()
      settledAt = now + settledMs
      const next = Math.max(now + gatherMs, nextAt)
      if (next < plannedAt) plan(next)
    },
    opened() {
      const now = Date.now()
      settledAt = now + settledMs
      note(now)
    },
    stop: () => clearTimeout(timer),
  }
}
