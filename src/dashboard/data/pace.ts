/** Calls that follow one another at a bounded pace. */
export interface Pace {
  /** Says that something has changed. */
  changed(): void
  /** Calls no more. */
  stop(): void
}

// Several changes that come together are read at once.
const gatherMs = 150
// Counts follow what happened within two seconds: what was read before is read once more.
const settledMs = 2_500

/**
 * Calls `run` soon after a change, at most once in `everyMs`, and once more when the counts of the last change have surely been kept: what
 * is shown is then never older than the last change.
 */
export function paced(run: () => void, everyMs: number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let plannedAt = Number.POSITIVE_INFINITY
  let ranAt = Number.NEGATIVE_INFINITY
  let settledAt = 0
  const plan = (at: number) => {
    clearTimeout(timer)
    plannedAt = at
    timer = setTimeout(call, at - Date.now())
  }
  const call = () => {
    plannedAt = Number.POSITIVE_INFINITY
    ranAt = Date.now()
    run()
    if (settledAt > ranAt) plan(Math.max(settledAt, ranAt + everyMs))
  }
  return {
    changed() {
      const now = Date.now()
      settledAt = now + settledMs
      const next = Math.max(now + gatherMs, ranAt + everyMs)
      if (next < plannedAt) plan(next)
    },
    stop: () => clearTimeout(timer),
  }
}
