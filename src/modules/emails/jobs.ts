import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { deliverQueue } from './shapes.ts'
import { deliverEmails, startDelivery } from './worker.ts'

/** The queues of this module. */
export const queues = [deliverQueue] as Queue<never>[]

/** Starts delivering: new mails as jobs arrive, and every 2 s what is due again. */
export async function startJobs(world: World): Promise<void> {
  startDelivery(world)
  await world.jobs.work(deliverQueue, (job) => deliverEmails(world, job))
}
