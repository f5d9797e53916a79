import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { fullTopic } from './charge.ts'
import { warnOfCaps } from './warnings.ts'

/** The queues of this module. */
export const queues: Queue<unknown>[] = []

/** Starts the workers: warnings within 30 s of a threshold, at once when a call was refused. */
export async function startJobs(world: World): Promise<void> {
  void loop(world, { name: 'billing warnings', everyMs: 30_000, topic: fullTopic, work: () => warnOfCaps(world) })
}
