import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { fullTopic } from './charge.ts'
import { syncQueue } from './shapes.ts'
import { forgetEvents, reportUsage } from './stripe/report.ts'
import { syncAccount } from './stripe/sync.ts'
import { warnOfCaps } from './warnings.ts'

/** The queues this module works off. */
export const queues = [syncQueue] as Queue<never>[]

/**
 * Starts the workers: warnings within 30 s of a threshold, at once when a call was refused; with billing on also what the
 * payment provider says, and what it is told every 5 minutes.
 */
export async function startJobs(world: World): Promise<void> {
  void loop(world, { name: 'billing warnings', everyMs: 30_000, topic: fullTopic, work: () => warnOfCaps(world) })
  if (!world.config.billing) return
  await world.jobs.work(syncQueue, (job) => syncAccount(world, job))
  await world.jobs.every('billing-report', '*/5 * * * *', () => reportUsage(world))
  await world.jobs.every('billing-forget', '17 3 * * *', () => forgetEvents(world))
}
