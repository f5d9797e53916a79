import type { World } from '../../kit/world.ts'
import { jobQueues } from '../jobs/shapes.ts'
import { continueBulk } from './bulk/continue.ts'
import { resumeErasures } from './erasure/erase.ts'
import { continueImport } from './import/continue.ts'

/** This module processes queues of the jobs module. */
export const queues = []

/** Starts the workers that import contacts and change many of them, and what resumes erasures whose jobs are lost. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(jobQueues.import, () => continueImport(world))
  await world.jobs.work(jobQueues.bulk, () => continueBulk(world))
  await world.jobs.every('contacts-erasures-resume', '*/5 * * * *', () => resumeErasures(world))
}
