/** The sending rate of a process: a token bucket that holds the tokens of one second. Tokens are taken when emails leave. */
export interface Pace {
  /** How many emails may leave now; only urgent ones while some of those wait. */
  allowed(urgent: boolean): number
  /** Takes the tokens of emails that leave. */
  take(count: number): void
  /** Whether urgent emails wait. */
  setUrgent(waiting: boolean): void
  /** When the next email may leave, in ms of the monotonic clock. */
  nextAt(): number
}

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
    nextAt: () => performance.now() + Math.max(1, ((1 - tokens) / rate) * 1_000),
  }
}
