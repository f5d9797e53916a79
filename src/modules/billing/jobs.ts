import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { fullTopic } from './charge.ts'
import { syncQueue } from './shapes.ts'
import { forgetOutdated, reportUsage } from './stripe/report.ts'
import { syncAccount } from './stripe/sync.ts'
import { warnOfCaps } from './warnings.ts'

/** The queues of this module. */
export const queues = [syncQueue] as Queue<never>[]

/**
 * Starts the workers. Warnings are sent within 30 s after a threshold is passed, and at once when a call was refused. Events
 * of the payment provider are handled and usage is reported to it every 5 minutes; without billing there are none, and nothing
 * is reported.
 */
export async function startJobs(world: World): Promise<void> {
  void loop(world, { name: 'billing warnings', everyMs: 30_000, topic: fullTopic, work: () => warnOfCaps(world) })
  await world.jobs.work(syncQueue, (job) => syncAccount(world, job))
  await world.jobs.every('billing-report', '*/5 * * * *', () => reportUsage(world))
  await world.jobs.every('billing-forget', '17 3 * * *', () => forgetOutdated(world))
}
