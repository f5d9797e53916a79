import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { createRotation } from './rotation.ts'
import { createTally } from './tally.ts'
import { resumed } from './thread-time.ts'

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
  owners: readonly [string, ...string[]]
  begin(): void
}

/** What a turn has used when it ends. */
export interface TurnUse {
  /** For how long this thread was busy meanwhile, with other work as well; not while it waited for anything. */
  busyMs: number
  /** How many turns run or rest, this one included. */
  turns: number
}

/** How many pieces of work run at a time. */
export interface TurnsPlan {
  max: number
  /** How many of each owner; a function is asked each time with the one that takes turns, for what depends on who else is there. */
  maxPerOwner: number | ((owner: string) => number)
  /**
   * For how many ms the owners of a turn that has ended rest, of whom the first is given: meanwhile the turn counts as theirs, and
   * others have the rest of the places. Default: none.
   */
  restOf?: ((owner: string, use: TurnUse) => number) | undefined
  /** Keeps places free of owners whose turns take long. Default: all are alike. */
  slow?: SlowPlan | undefined
}

/** Owners whose turns take long have some of the places only, all of them together: the others are for those whose turns are short. */
export interface SlowPlan {
  /** An owner is slow after a turn that took so long, in ms, for ten times as long as it took. */
  fromMs: number
  /** How many turns of slow owners run at a time. */
  max: number
  /** The time in ms. Default: the machine's. */
  now?: () => number
}

const slowFactor = 10
const maxSlowOwners = 10_000

// Which owners are slow, and how many of their turns run.
function createSlowness({ fromMs, max, now = () => performance.now() }: SlowPlan) {
  // Those who became slow longest ago come first.
  const until = new Map<string, number>()
  const isSlow = (owner: string): boolean => (until.get(owner) ?? 0) > now()
  let running = 0
  return {
    hasRoom: (owner: string): boolean => running < max || !isSlow(owner),
    /** Begins a turn of an owner; call what it returns when it ends. */
    begin(owner: string): () => void {
      const counts = isSlow(owner)
      const began = now()
      if (counts) running++
      return () => {
        if (counts) running--
        const tookMs = now() - began
        if (tookMs < fromMs) return
        until.delete(owner)
        until.set(owner, now() + tookMs * slowFactor)
        if (until.size > maxSlowOwners) until.delete(until.keys().next().value ?? '')
      }
    },
  }
}

const notSlow = { hasRoom: () => true, begin: () => () => {} }

/** Creates turns for at most `max` pieces of work at a time, of which at most `maxPerOwner` belong to one owner. */
export function createTurns({ max, maxPerOwner, restOf, slow }: TurnsPlan): Turns {
  const slowness = slow ? createSlowness(slow) : notSlow
  // With those that rest.
  const taken = createTally()
  const waiting = createRotation<Waiting>()
  let running = 0

  const maxOf = typeof maxPerOwner === 'number' ? () => maxPerOwner : maxPerOwner
  const hasRoom = ([first, ...others]: readonly [string, ...string[]]): boolean => {
    const most = maxOf(first)
    return slowness.hasRoom(first) && [first, ...others].every((owner) => taken.of(owner) < most)
  }

  function startNext(): void {
    while (running < max) {
      const next = waiting.take(
        (_owner, { owners }) => hasRoom(owners),
        (owner) => hasRoom([owner]),
      )
      if (!next) return
      next.begin()
    }
  }

  // Returns what ends it as a long or a short one.
  function begin(owners: readonly [string, ...string[]]): () => void {
    running++
    taken.add(owners, 1)
    return slowness.begin(owners[0])
  }

  function end(owners: readonly [string, ...string[]], before: EventLoopUtilization | undefined): void {
    running--
    const restMs = restOf?.(owners[0], { busyMs: before ? performance.eventLoopUtilization(before).active : 0, turns: taken.total }) ?? 0
    const leave = (): void => {
      taken.add(owners, -1)
      startNext()
    }
    if (restMs > 0) setTimeout(leave, restMs).unref()
    else leave()
    startNext()
  }

  async function begun([first, ...others]: readonly [string, ...string[]], { maxMs, ended }: Patience): Promise<() => void> {
    const owners = [first, ...others] as const
    if (ended?.aborted) throw new TurnMissed()
    // Nobody is overtaken: whoever waits now has no room.
    if (running < max && hasRoom(owners)) return begin(owners)
    const turn = Promise.withResolvers<() => void>()
    const one: Waiting = { owners, begin: () => turn.resolve(begin(owners)) }
    const giveUp = (): void => {
      waiting.remove(first, one)
      turn.reject(new TurnMissed())
    }
    const timer = maxMs === undefined ? undefined : setTimeout(giveUp, maxMs)
    ended?.addEventListener('abort', giveUp)
    waiting.add(first, one)
    return turn.promise.finally(() => {
      clearTimeout(timer)
      ended?.removeEventListener('abort', giveUp)
    })
  }

  return {
    async run(owners, work, patience = {}) {
      const all = typeof owners === 'object' && owners ? owners : ([owners] as const)
      const endSlowness = await begun(all, patience)
      resumed()
      const before = restOf && performance.eventLoopUtilization()
      try {
        return await work()
      } finally {
        endSlowness()
        end(all, before)
      }
    },
  }
}
