import { perWorld, type World } from '../../../kit/world.ts'
import { wakeAhead } from './sql.ts'

/** How often it is looked whether executions stand still. */
export const stalledMs = 30_000
// Longer than any lease.
const maxWaitMs = 10 * 60_000
const maxWoken = 1_000
// Less than that is no reason to look.
const setBackMs = 60_000

// The time when this process looked last, by its clock and by one that nobody sets.
const lookedOf = perWorld((): { at: number; monotonic: number } => ({ at: Number.POSITIVE_INFINITY, monotonic: 0 }))

/**
 * Continues executions that no lease can hold for so long: the clock of a machine was ahead, and they would stand still until its time
 * has come. That reads everything that waits, so it is done when this process begins, and when its clock was set back. Returns whether
 * there may be more.
 */
export async function wakeStalled(world: World): Promise<boolean> {
  const looked = lookedOf(world)
  const now = world.clock.now()
  const monotonic = performance.now()
  const wasSetBack = now.getTime() - looked.at < monotonic - looked.monotonic - setBackMs
  const woken = wasSetBack ? await world.db.run(wakeAhead, [now, new Date(now.getTime() + maxWaitMs), maxWoken]) : []
  if (woken.length === maxWoken) return true
  Object.assign(looked, { at: now.getTime(), monotonic })
  return false
}
