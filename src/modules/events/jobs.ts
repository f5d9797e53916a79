import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import { beginning } from '../../kit/walk.ts'
import type { World } from '../../kit/world.ts'
import { countLog, eventCounter } from './counter/counter.ts'
import { eraseEventName, resumeNameErasures } from './erasure/erase.ts'
import { removeOldEvents } from './retention/retention.ts'
import { eraseEventNameQueue, logRetentionQueue } from './shapes.ts'
import { contactEventsReader, summariseLog } from './summary/summary.ts'

/** The queues of this module. */
export const queues = [eraseEventNameQueue, logRetentionQueue] as Queue<never>[]

/** The readers of the log in this module. */
export const readers = [eventCounter, contactEventsReader]

/**
 * Starts the workers that remove deleted event names, remove old lines every night, and count and summarise the log as it
 * grows (at most 1 s behind).
 */
export async function startJobs(world: World): Promise<void> {
  await world.jobs.work(eraseEventNameQueue, (job) => eraseEventName(world, job))
  await world.jobs.every('events-erasures-resume', '*/5 * * * *', () => resumeNameErasures(world))
  await world.jobs.work(logRetentionQueue, (job) => removeOldEvents(world, job))
  await world.jobs.every('events-retention-nightly', '10 2 * * *', () => world.jobs.enqueue(logRetentionQueue, beginning))
  void loop(world, { name: 'event counter', everyMs: 1_000, work: () => countLog(world) })
  void loop(world, { name: 'contact events', everyMs: 1_000, work: () => summariseLog(world) })
}
