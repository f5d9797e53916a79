import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { removeOldHours, reputationReader } from './count.ts'
import { reviewReputations } from './review.ts'

/** The queues of this module: none. */
export const queues: Queue<unknown>[] = []

/** The readers of the log in this module. */
export const readers = [reputationReader]

/** Starts the review of reputations, at most 2 s behind the log, and the removal of old counts. */
export async function startJobs(world: World): Promise<void> {
  void loop(world, { name: 'reputation review', everyMs: 2_000, work: () => reviewReputations(world) })
  void loop(world, { name: 'reputation hours', everyMs: 3_600_000, work: () => removeOldHours(world) })
}
