import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { forgetAnswers } from './once.ts'

/** The queues of this module: it has none. */
export const queues: Queue<unknown>[] = []

/** Schedules an hourly job that deletes idempotency keys older than 24 hours. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.every('idempotency-forget-answers', '17 * * * *', () => forgetAnswers(world))
}
