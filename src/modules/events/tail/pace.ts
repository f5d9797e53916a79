import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRotation } from '../../../kit/rotation.ts'
import { perWorld } from '../../../kit/world.ts'

/** One that passes lines on when it is its turn. */
export interface Passing {
  projectId: string
  pass(): void
}

/** Lets those that pass lines on take turns. */
export interface Pace {
  /** Calls `pass` once, in one of the next turns of the event loop. */
  await(one: Passing): void
}

// Each passes some lines on, of which every one is written for its subscriber, which takes some tens of microseconds.
const maxPerTurn = 8

/**
 * In each turn of the event loop some pass lines on, of one project after the other: however many subscribers wait for
 * however many lines, other callers are answered meanwhile.
 */
export const paceOf = perWorld((): Pace => {
  const waiting = createRotation<Passing>()
  let running = false

  async function run(): Promise<void> {
    while (!waiting.isEmpty()) {
      await nextTurn()
      for (let passed = 0; passed < maxPerTurn; passed++) waiting.take()?.pass()
    }
    running = false
  }

  return {
    await(one) {
      waiting.add(one.projectId, one)
      if (running) return
      running = true
      void run()
    },
  }
})
