import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { checkDomains } from './dns/check.ts'

/** The queues of this module: it has none, only a schedule. */
export const queues: Queue<unknown>[] = []

/** Schedules a check of the DNS records of all domains every 5 minutes. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.every('domains-check', '*/5 * * * *', () => checkDomains(world))
}
