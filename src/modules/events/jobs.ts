import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { countLog, eventCounter } from './counter.ts'
import { eraseEventName } from './erase.ts'
import { eraseEventNameQueue } from './shapes.ts'

/** The queues of this module. */
export const queues = [eraseEventNameQueue]

/** The readers of the log in this module. */
export const readers = [eventCounter]

/** Starts the workers that remove deleted event names and count the log as it grows (at most 1 s behind). */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(eraseEventNameQueue, (job) => eraseEventName(world, job))
  void loop(world, { name: 'event counter', everyMs: 1_000, work: () => countLog(world) })
}
