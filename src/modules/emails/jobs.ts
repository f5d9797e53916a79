import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { eraseContactQueue } from '../contacts/shapes.ts'
import { deliverEmails, startDelivery } from './delivery/worker.ts'
import { eraseContact } from './erase.ts'
import { deliverQueue } from './shapes.ts'

/** The queues this module works off: its own, and what contacts leave behind when they are deleted. */
export const queues = [deliverQueue, eraseContactQueue] as Queue<never>[]

/** Starts delivering: new mails as jobs arrive, and every 2 s what is due again. */
export async function startJobs(world: World): Promise<void> {
  startDelivery(world)
  await world.jobs.work(deliverQueue, (job) => deliverEmails(world, job))
  await world.jobs.work(eraseContactQueue, (job) => eraseContact(world, job))
}
