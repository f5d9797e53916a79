import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { analyticsReader, countAnalytics, removeOldCounts } from './count.ts'

/** The queues of this module: none. */
export const queues: Queue<never>[] = []

/** The readers of the log in this module. */
export const readers = [analyticsReader]

/** Counts what becomes of emails as the log grows (at most 1 s behind), and removes counts that are too old. */
export async function startJobs(world: World): Promise<void> {
  void loop(world, { name: 'analytics counter', everyMs: 1_000, work: () => countAnalytics(world) })
  void loop(world, { name: 'old analytics', everyMs: 3_600_000, work: () => removeOldCounts(world) })
}
