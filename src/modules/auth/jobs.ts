import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { forgetWindows } from './rate.ts'

/** The queues of this module: none. */
export const queues: Queue<unknown>[] = []

/** Starts the housekeeping: windows of minutes that are over. */
export async function startJobs(world: World): Promise<void> {
  const work = async (): Promise<boolean> => {
    await forgetWindows(world)
    return false
  }
  void loop(world, { name: 'rate windows', everyMs: 60_000, work })
}
