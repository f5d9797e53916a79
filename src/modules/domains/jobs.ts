import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { checkDomains } from './dns/check.ts'

/** The queues of this module: none beside its timetable. */
export const queues: Queue<unknown>[] = []

/** Starts the timetable: every 5 minutes the records of all domains are looked for. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.every('domains-check', '*/5 * * * *', () => checkDomains(world))
}
