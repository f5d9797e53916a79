import type { Clock } from '../../kit/clock.ts'

/** What happened when, in order, and a clock that shows the time of what is happening. */
export interface Timeline {
  clock: Clock
  /** Lets something happen at a time; what would be after the end does not happen. */
  at(time: number, act: () => Promise<void>): void
  /** Does one after the other, with what is added meanwhile, until nothing is left or `isOver`. */
  play(isOver: () => boolean): Promise<void>
}

/** A timeline from one time to another, in ms since 1970. */
export function createTimeline(from: number, to: number): Timeline {
  const coming: { time: number; act: () => Promise<void> }[] = []
  let now = from
  return {
    clock: { now: () => new Date(now), aheadMs: 0 },
    at(time, act) {
      if (time >= to) return
      const later = coming.findIndex((one) => one.time > time)
      coming.splice(later === -1 ? coming.length : later, 0, { time, act })
    },
    async play(isOver) {
      for (let next = coming.shift(); next && !isOver(); next = coming.shift()) {
        now = Math.max(now, next.time)
        await next.act()
      }
    },
  }
}

/** Numbers from 0 to 1 that look random and are the same every time. */
export function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
