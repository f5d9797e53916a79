import type { Queue } from '../../kit/jobs.ts'
import { beginning } from '../../kit/walk.ts'
import type { World } from '../../kit/world.ts'
import { eraseContactQueue, eraseContactsQueue } from '../contacts/shapes.ts'
import { deliverEmails, startDelivery } from './delivery/worker.ts'
import { eraseContact, eraseContacts } from './erasure/erase.ts'
import { startReturnPath } from './feedback/receive.ts'
import { forgetOldRemoved } from './feedback/removed.ts'
import { removeOldContents } from './retention.ts'
import { contentRetentionQueue, deliverQueue } from './shapes.ts'

/** The queues this module processes: deliveries, the data of deleted contacts, and old contents. */
export const queues = [deliverQueue, eraseContactQueue, eraseContactsQueue, contentRetentionQueue] as Queue<never>[]

/** Starts delivering: new emails as their jobs arrive, and every 2 s those that are due again; receives bounces; removes old contents, and what is kept of removed emails, every night. */
export async function startJobs(world: World): Promise<void> {
  startDelivery(world)
  await startReturnPath(world)
  await world.jobs.work(deliverQueue, (job) => deliverEmails(world, job))
  await world.jobs.work(eraseContactQueue, (job) => eraseContact(world, job))
  await world.jobs.work(eraseContactsQueue, (job) => eraseContacts(world, job))
  await world.jobs.work(contentRetentionQueue, (job) => removeOldContents(world, job))
  await world.jobs.every('emails-removed-nightly', '55 2 * * *', () => forgetOldRemoved(world))
  await world.jobs.every('emails-retention-nightly', '40 2 * * *', () => world.jobs.enqueue(contentRetentionQueue, beginning))
}
