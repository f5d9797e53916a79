import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { eraseExecutions } from './changes.ts'
import { eraseExecutionsQueue } from './shapes.ts'

/** The queues this module processes: the executions of deleted workflows. */
export const queues = [eraseExecutionsQueue] as Queue<never>[]

/** Starts removing the executions of deleted workflows. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(eraseExecutionsQueue, (job) => eraseExecutions(world, job))
}
