/** How much long computations of this process may use of each turn of the event loop, all of them together. */
export interface LoopShare {
  /**
   * Counts work that is about to be done. Returns nothing when it may be done in this turn of the loop, and otherwise a promise that
   * resolves in the turn in which it may; whoever waits is served in order.
   */
  take(units: number): Promise<void> | undefined
}

/**
 * Creates a share of `maxUnits` of work in each turn of the loop; more than that at once has a turn of its own. Work whose units were
 * estimated too low also waits once it has taken `maxMs` of a turn.
 */
export function createLoopShare({ maxUnits, maxMs = Number.POSITIVE_INFINITY }: { maxUnits: number; maxMs?: number }): LoopShare {
  const waiting: { units: number; resolve: () => void }[] = []
  let used = 0
  // When work began in this turn.
  let since: number | undefined

  const fits = (units: number): boolean => used === 0 || used + units <= maxUnits

  function beginTurn(): number {
    setImmediate(endTurn)
    since = performance.now()
    return since
  }

  function endTurn(): void {
    used = 0
    since = undefined
    if (waiting.length === 0) return
    beginTurn()
    for (let next = waiting[0]; next && fits(next.units); next = waiting[0]) {
      waiting.shift()
      used += next.units
      next.resolve()
    }
  }

  return {
    take(units) {
      const began = since ?? beginTurn()
      if (waiting.length > 0 || !fits(units) || performance.now() - began >= maxMs)
        return new Promise((resolve) => waiting.push({ units, resolve }))
      used += units
      return undefined
    },
  }
}
