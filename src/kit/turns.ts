import { createRotation } from './rotation.ts'

/** Limits how much work runs at the same time, in all and per owner, such as a project. */
export interface Turns {
  /** Runs work as soon as there is room for it and returns its result. Owners that wait take turns, however much each has waiting. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

/** Creates turns for at most `max` pieces of work at a time, of which at most `maxPerOwner` belong to one owner. */
export function createTurns({ max, maxPerOwner }: { max: number; maxPerOwner: number }): Turns {
  const running = new Map<string, number>()
  const waiting = createRotation<() => void>()
  let total = 0

  const hasRoom = (owner: string): boolean => (running.get(owner) ?? 0) < maxPerOwner

  function startNext(): void {
    while (total < max) {
      const begin = waiting.take(hasRoom)
      if (!begin) return
      begin()
    }
  }

  function count(owner: string, change: 1 | -1): void {
    total += change
    const left = (running.get(owner) ?? 0) + change
    if (left === 0) running.delete(owner)
    else running.set(owner, left)
  }

  async function begun(owner: string): Promise<void> {
    if (total < max && hasRoom(owner) && !waiting.has(owner)) return count(owner, 1)
    await new Promise<void>((resolve) =>
      waiting.add(owner, () => {
        count(owner, 1)
        resolve()
      }),
    )
  }

  return {
    async run(owner, work) {
      await begun(owner)
      try {
        return await work()
      } finally {
        count(owner, -1)
        startNext()
      }
    },
  }
}
