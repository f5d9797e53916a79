import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { contactDeletedQueue } from '../contacts/shapes.ts'
import { eventsTopic } from '../events/log.ts'
import { startCaller } from './calls/worker.ts'
import { eraseExecutions } from './changes.ts'
import { endExecutionsOfContact } from './executions/deleted.ts'
import { stripOldVersions } from './graph/versions.ts'
import { startHandling } from './lines/worker.ts'
import { startRunner } from './run/worker.ts'
import { eraseExecutionsQueue } from './shapes.ts'
import { followEvents, triggerReader } from './triggers/triggers.ts'

/** The queues this module processes: the executions of deleted workflows, and of deleted contacts. */
export const queues = [eraseExecutionsQueue, contactDeletedQueue] as Queue<never>[]

/** The readers of the log of this module. */
export const readers = [triggerReader]

const readMs = 1_000
const versionsMs = 3_600_000
// Not after each commit to the log: many lines are read for the price of one.
const restMs = 200

/**
 * Starts executions as events happen, takes them from step to step, calls their webhooks, cancels those of deleted contacts, and
 * removes those of deleted workflows.
 */
export async function startJobs(world: World): Promise<void> {
  startHandling(world)
  startRunner(world)
  startCaller(world)
  void loop(world, { name: 'workflow triggers', everyMs: readMs, topic: eventsTopic, restMs, work: () => followEvents(world) })
  void loop(world, { name: 'workflow versions', everyMs: versionsMs, work: () => stripOldVersions(world) })
  await world.jobs.work(contactDeletedQueue, (job) => endExecutionsOfContact(world, job))
  await world.jobs.work(eraseExecutionsQueue, (job) => eraseExecutions(world, job))
}
