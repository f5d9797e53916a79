import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { removeOldJobs } from './job.ts'
import { jobQueues } from './shapes.ts'
import { resumeJobs } from './turns.ts'

/** The queues of jobs; the module of each kind processes its own. */
export const queues = Object.values(jobQueues)

const resumeMs = 10_000

/** Starts what resumes the jobs of crashed workers, and what removes old jobs every night. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.every('jobs-removal-nightly', '50 2 * * *', () => removeOldJobs(world))
  const everyMs = Math.min(resumeMs, world.config.CLAIM_SECONDS * 500)
  const work = async (): Promise<boolean> => {
    await resumeJobs(world)
    return false
  }
  void loop(world, { name: 'jobs without progress', everyMs, work })
}
