import { createRotation } from './rotation.ts'

/**
 * Whom work belongs to: one owner, such as a project, or several, such as a person and a project. Each of them counts; the first is
 * the one that takes turns with others.
 */
export type Owners = string | readonly [string, ...string[]]

/** How long work waits for its turn: at most `maxMs`, and only until `ended`. Default: as long as it takes. */
export interface Patience {
  maxMs?: number | undefined
  ended?: AbortSignal | undefined
}

/** The turn of some work did not come in time, or the work was given up while it waited. It has not begun. */
export class TurnMissed extends Error {}

/** Limits how much work runs at the same time, in all and per owner, such as a project. */
export interface Turns {
  /**
   * Runs work as soon as there is room for it and returns its result. Owners that wait take turns, however much each has waiting.
   * Rejects with TurnMissed when `patience` has ended before.
   */
  run<Result>(owners: Owners, work: () => Promise<Result>, patience?: Patience): Promise<Result>
}

interface Waiting {
  owners: readonly string[]
  begin(): void
}

/** Creates turns for at most `max` pieces of work at a time, of which at most `maxPerOwner` belong to one owner. */
export function createTurns({ max, maxPerOwner }: { max: number; maxPerOwner: number }): Turns {
  const running = new Map<string, number>()
  const waiting = createRotation<Waiting>()
  let total = 0

  const hasRoom = (owners: readonly string[]): boolean => owners.every((owner) => (running.get(owner) ?? 0) < maxPerOwner)

  function startNext(): void {
    while (total < max) {
      const next = waiting.take((_owner, { owners }) => hasRoom(owners))
      if (!next) return
      next.begin()
    }
  }

  function count(owners: readonly string[], change: 1 | -1): void {
    total += change
    for (const owner of owners) {
      const left = (running.get(owner) ?? 0) + change
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
    }
  }

  async function begun([first, ...others]: readonly [string, ...string[]], { maxMs, ended }: Patience): Promise<void> {
    const owners = [first, ...others]
    if (ended?.aborted) throw new TurnMissed()
    // Nobody is overtaken: whoever waits now has no room.
    if (total < max && hasRoom(owners)) return count(owners, 1)
    const turn = Promise.withResolvers<void>()
    const one: Waiting = {
      owners,
      begin() {
        count(owners, 1)
        turn.resolve()
      },
    }
    const giveUp = (): void => {
      waiting.remove(first, one)
      turn.reject(new TurnMissed())
    }
    const timer = maxMs === undefined ? undefined : setTimeout(giveUp, maxMs)
    ended?.addEventListener('abort', giveUp)
    waiting.add(first, one)
    await turn.promise.finally(() => {
      clearTimeout(timer)
      ended?.removeEventListener('abort', giveUp)
    })
  }

  return {
    async run(owners, work, patience = {}) {
      const all = typeof owners === 'object' && owners ? owners : ([owners] as const)
      await begun(all, patience)
      try {
        return await work()
      } finally {
        count(all, -1)
        startNext()
      }
    },
  }
}
