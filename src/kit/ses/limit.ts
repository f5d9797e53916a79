/** How many messages per second a server takes from this process, as far as its answers say. */
export interface Limit {
  /** How many per second may begin now; Infinity before one was throttled. */
  perSecond(): number
  /** One was accepted; `waited`: it could have begun before, had more been allowed. */
  accepted(waited: boolean): void
  /** One that began at a time (of `performance.now()`) was refused because of how many were sent. Returns whether it is the first. */
  throttled(beganAt: number): boolean
}

const minPerSecond = 0.5
const fall = 0.85
// For each that waited and was accepted, so that the rate rises by as much of itself per second: slowly around what was throttled.
const [quickRise, slowRise] = [0.1, 0.02]
const around = 0.1
// With the time, up to what was taken before: by as much of itself per second.
const recovery = 0.15
const secondMs = 1_000

/**
 * Learns the rate from what is throttled (additive increase, multiplicative decrease), so that processes that share a limit come to share it
 * evenly. It begins with what was let through; it falls by 15 % when one is throttled that began since it last fell. After a time in which
 * nothing was accepted it returns by itself to what was taken before, and beyond that it rises only with messages that had to wait, so that it does not drift
 * while few are sent.
 */
export function createLimit(): Limit {
  const through = createCounter()
  let rate = Number.POSITIVE_INFINITY
  // What it was throttled at while others were accepted: when none is, that says nothing about the rate.
  let known = Number.POSITIVE_INFINITY
  let acceptedSince = 0
  let fellAt = Number.NEGATIVE_INFINITY
  let recoveredAt = 0

  function recover(): number {
    const now = performance.now()
    const before = known * fall
    if (rate < before) rate = Math.min(before, rate * (1 + recovery) ** ((now - recoveredAt) / secondMs))
    recoveredAt = now
    return rate
  }

  return {
    perSecond: recover,
    accepted(waited) {
      through.add()
      acceptedSince++
      if (waited) rate = recover() + (Math.abs(rate / known - 1) < around ? slowRise : quickRise)
    },
    throttled(beganAt) {
      if (beganAt <= fellAt) return false
      const isFirst = rate === Number.POSITIVE_INFINITY
      const now = performance.now()
      const at = isFirst ? Math.max(minPerSecond, through.perSecond()) : recover()
      if (isFirst || acceptedSince > 0) known = at
      acceptedSince = 0
      rate = Math.max(minPerSecond, isFirst ? at : at * fall)
      fellAt = now
      recoveredAt = now
      return isFirst
    },
  }
}

// How many there were in this second and the one before: the larger number.
function createCounter(): { add(): void; perSecond(): number } {
  let [began, now, before] = [0, 0, 0]
  const turn = (): void => {
    const seconds = Math.floor((performance.now() - began) / secondMs)
    if (seconds === 0) return
    before = seconds === 1 ? now : 0
    now = 0
    began += seconds * secondMs
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
