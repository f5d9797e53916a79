import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { removeOldMessages } from './sns/once.ts'

/** The queues of this module: none. */
export const queues: Queue<unknown>[] = []

/** Removes the ids of old messages every night. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.every('ses-messages-nightly', '50 2 * * *', () => removeOldMessages(world))
}
