import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { notificationQueue } from '../notifications/shapes.ts'
import { sendNotification } from './notifications/send.ts'
import { checkSender } from './project.ts'

/** The queues of this module: notifications to users. */
export const queues: Queue<unknown>[] = [notificationQueue as Queue<unknown>]

/** Starts sending notifications to users, and says in the log when they would be refused. */
export async function startJobs(world: World): Promise<void> {
  await checkSender(world)
  await world.jobs.work(notificationQueue, (job) => sendNotification(world, job))
}
