import type { World } from '../../kit/world.ts'
import { jobQueues } from '../jobs/shapes.ts'
import { continueImport } from './import/continue.ts'

/** This module processes queues of the jobs module. */
export const queues = []

/** Starts the workers that import contacts. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(jobQueues.import, (ticket) => continueImport(world, ticket))
}
