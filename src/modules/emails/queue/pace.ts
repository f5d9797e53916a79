/** The sending rate of a process: a token bucket that holds the tokens of one second. */
export interface Pace {
  /** How many emails may leave now; only urgent ones while some of those wait. */
  allowed(urgent: boolean): number
  /** Takes the tokens of emails that are about to leave; a negative count gives back those of emails that did not. */
  take(count: number): void
  /** Whether urgent emails wait for tokens: then the others get none. */
  setUrgent(waiting: boolean): void
  /** How long to wait before asking again, in ms. */
  waitMs(): number
}

// A claim for a few emails costs nearly as much as one for many.
const minWaitMs = 20

/** Creates the pace for a rate in emails per second; 0 means no limit. */
export function createPace(rate: number): Pace {
  let tokens = rate
  let at = performance.now()
  let urgentWait = false

  function refill(): void {
    const now = performance.now()
    tokens = Math.min(rate, tokens + ((now - at) / 1_000) * rate)
    at = now
  }

  return {
    allowed(urgent) {
      if (rate === 0) return Number.POSITIVE_INFINITY
      refill()
      return urgentWait && !urgent ? 0 : Math.max(0, Math.floor(tokens))
    },
    take(count) {
      if (rate > 0) tokens -= count
    },
    setUrgent(waiting) {
      urgentWait = waiting
    },
    waitMs: () => Math.max(minWaitMs, ((1 - tokens) / rate) * 1_000),
  }
}
