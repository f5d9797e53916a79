import type { Queue } from '../../kit/jobs.ts'
import type { World } from '../../kit/world.ts'
import { eraseMembers } from './members/erase.ts'
import { nameAllSegments } from './members/names.ts'
import { eraseMembersQueue } from './shapes.ts'
import { recomputeSegments } from './tracking/recompute.ts'

/** The queues this module processes: the members of deleted segments. */
export const queues = [eraseMembersQueue] as Queue<never>[]

/** Starts removing the members of deleted segments, and computes every minute the segments that are due, whose events have their names by then. */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(eraseMembersQueue, (job) => eraseMembers(world, job))
  await world.jobs.every('segments-recompute', '* * * * *', async () => {
    await nameAllSegments(world)
    await recomputeSegments(world)
  })
}
