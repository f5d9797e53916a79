const steps = 30_000_000
/** What the loop takes on a machine that does nothing else. */
const usualMs = 35

/**
 * How long something may take here that takes at most `ms` on the machine that the limit was chosen on: longer by the factor by
 * which this one is slower, or busier, at this moment. Only for limits far below what the defect would take.
 */
export function atPace(ms: number): number {
  return ms * Math.max(1, loopMs() / usualMs)
}

function loopMs(): number {
  // The first one is not compiled yet.
  loop(steps / 30)
  const began = performance.now()
  loop(steps)
  return performance.now() - began
}

function loop(times: number): number {
  let sum = 0
  for (let at = 0; at < times; at++) sum = (sum * 31 + at) | 0
  return sum
}
