/** Limits how much work runs at the same time, in all and per owner, such as a project. */
export interface Turns {
  /** Runs work as soon as there is room for it and returns its result. Owners that wait take turns, however much each has waiting. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

/** Creates turns for at most `max` pieces of work at a time, of which at most `maxPerOwner` belong to one owner. */
export function createTurns({ max, maxPerOwner }: { max: number; maxPerOwner: number }): Turns {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  let total = 0

  // An owner whose turn it was goes to the end of the map, where this loop meets it again while there is room.
  function startNext(): void {
    for (const [owner, [begin, ...others]] of waiting) {
      if (total >= max) return
      if (!begin || runningOf(owner) >= maxPerOwner) continue
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      begin()
    }
  }

  function runningOf(owner: string): number {
    return running.get(owner) ?? 0
  }

  function count(owner: string, change: 1 | -1): void {
    total += change
    const left = runningOf(owner) + change
    if (left === 0) running.delete(owner)
    else running.set(owner, left)
  }

  return {
    async run(owner, work) {
      if (total < max && runningOf(owner) < maxPerOwner && !waiting.has(owner)) count(owner, 1)
      else await new Promise<void>((resolve) => wait(owner, resolve))
      try {
        return await work()
      } finally {
        count(owner, -1)
        startNext()
      }
    },
  }

  function wait(owner: string, resolve: () => void): void {
    const begin = (): void => {
      count(owner, 1)
      resolve()
    }
    waiting.set(owner, [...(waiting.get(owner) ?? []), begin])
  }
}
