import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { noticeQueue } from '../notifications/shapes.ts'
import { sendNotice } from './notices.ts'

/** The queues of this module: notices to users. */
export const queues: Queue<unknown>[] = [noticeQueue as Queue<unknown>]

/** Starts sending what the installation writes to its own users. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(noticeQueue, (job) => sendNotice(world, job))
}
