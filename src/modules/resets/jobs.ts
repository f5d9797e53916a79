import type { World } from '../../kit/world.ts'
import { continueReset, resumeResets } from './erase.ts'
import { resetQueue } from './shapes.ts'

/** The queues of this module. */
export const queues = [resetQueue]

/** Starts the workers: removing what was reset or deleted, and taking up what another process left in the middle. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(resetQueue, (job) => continueReset(world, job))
  await world.jobs.every('project-resets-resume', '* * * * *', () => resumeResets(world))
}
