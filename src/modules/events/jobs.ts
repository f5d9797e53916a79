import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { countLog } from './counter.ts'
import { eraseEventName } from './erase.ts'
import { eraseQueue } from './shapes.ts'

/** The queues of this module. */
export const queues = [eraseQueue]

/** Starts the workers: erasing what was deleted, counting the log as it grows (at most 1 s behind). */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(eraseQueue, (job) => eraseEventName(world, job))
  void loop(world, { name: 'event counter', everyMs: 1_000, work: () => countLog(world) })
}
