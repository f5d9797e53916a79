import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { eraseContactQueue } from '../contacts/shapes.ts'
import { deliverEmails, startDelivery } from './delivery/worker.ts'
import { eraseContact } from './erase.ts'
import { deliverQueue } from './shapes.ts'

/** The queues this module processes: deliveries, and the data of deleted contacts. */
export const queues = [deliverQueue, eraseContactQueue] as Queue<never>[]

/** Starts delivering: new emails as their jobs arrive, and every 2 s those that are due again. */
export async function startJobs(world: World): Promise<void> {
  startDelivery(world)
  await world.jobs.work(deliverQueue, (job) => deliverEmails(world, job))
  await world.jobs.work(eraseContactQueue, (job) => eraseContact(world, job))
}
