import { announceEverywhere } from '../../kit/announce.ts'
import { topic } from '../../kit/notices.ts'
import type { World } from '../../kit/world.ts'
import { isSendingAny } from '../emails/erasure/erase.ts'
import { recordChange } from '../projects/changes.ts'
import { dropProject, lockProjectToErase, openProject } from '../projects/erase.ts'
import { keysTopic } from '../projects/keys.ts'
import { isReputationCounted } from '../security/count.ts'
import { hasUploads } from '../uploads/erase.ts'
import { fenced, ResetEnded } from './fence.ts'
import { type ProjectResetJob, projectDeletionQueue, projectPicturesQueue, projectResetQueue } from './shapes.ts'
import { claimStalled, deleteResets, finishReset, type ResetRow, recordProgress } from './sql.ts'
import { deleteSteps, type EraseStep, resetSteps, unsentSteps } from './steps.ts'

/** Notices of finished resets. */
export const resetsTopic = topic('resets')

// A job must end before the queue gives it to another worker; these batches take some seconds.
const batchesPerJob = 100
const stalledAfterMs = 2 * 60_000

/** The queue of each kind. */
export const queueOf = { RESET: projectResetQueue, DELETE: projectDeletionQueue }

/**
 * Continues a reset or deletion for some batches that each commit, then queues the rest, and the pictures of a deleted project at last.
 * Safe to run again after a crash, in two workers at once, and in one that goes on after another has finished it.
 */
export async function continueReset(world: World, job: ProjectResetJob): Promise<void> {
  const reset = await stillRunning(world, job)
  if (!reset) return
  // Every process must know that the project is closed before the first row is removed, so that no row is added any more.
  await announceEverywhere(world.notices, keysTopic, job.projectId)
  const unsent = await eraseSome(world, reset, unsentSteps)
  if (unsent === 'done' && (await mustWait(world, reset))) return world.jobs.enqueueIn(waitSeconds, queueOf[reset.kind], job)
  const end = unsent === 'done' ? await eraseSome(world, reset, reset.kind === 'DELETE' ? deleteSteps : resetSteps) : unsent
  if (end === 'replaced') return
  if (end === 'more') return world.jobs.enqueue(queueOf[reset.kind], job)
  if (reset.kind === 'DELETE' && (await hasUploads(world, job.projectId))) return world.jobs.enqueue(projectPicturesQueue, job)
  if (await finish(world, reset)) {
    await announceEverywhere(world.notices, keysTopic, job.projectId)
    world.notices.publish(resetsTopic, job.id)
  }
}

// A mail server may take minutes to answer, and another program may hold the log back for longer. What was answered last is counted after
// that.
const maxSendingMs = 10_000
const maxCountingMs = 15_000
const waitSeconds = 1

// Until what has left is recorded, and counts towards the reputation: not in the place of a job, which is left to other resets.
async function mustWait(world: World, { projectId, kind, startedAt }: ResetRow): Promise<boolean> {
  const waitedMs = world.clock.now().getTime() - startedAt.getTime()
  if (kind === 'DELETE' || waitedMs >= maxCountingMs) return false
  return (waitedMs < maxSendingMs && (await isSendingAny(world, projectId))) || !(await isReputationCounted(world, projectId))
}

/** Queues resets without progress for 2 minutes: their worker crashed, or their job failed too often. */
export async function resumeResets({ db, clock, jobs }: Pick<World, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const stalled = await tx.run(claimStalled, [new Date(now.getTime() - stalledAfterMs), now])
    for (const { projectId, id, kind } of stalled) await jobs.enqueue(queueOf[kind], { projectId, id }, tx)
  })
}

/** Records that a reset makes progress; undefined when it has finished or was replaced. */
export async function stillRunning(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  { projectId, id }: ProjectResetJob,
): Promise<ResetRow | undefined> {
  const [row] = await db.run(recordProgress, [projectId, id, clock.now()])
  return row
}

async function eraseSome(world: World, reset: ResetRow, steps: readonly EraseStep[]): Promise<'done' | 'more' | 'replaced'> {
  try {
    return await eraseBatches(world, reset, steps)
  } catch (error) {
    if (error instanceof ResetEnded) return 'replaced'
    throw error
  }
}

async function eraseBatches(world: World, reset: ResetRow, steps: readonly EraseStep[]): Promise<'done' | 'more' | 'replaced'> {
  const whileRunning = fenced(world, reset)
  let batches = 0
  // Repeat until a whole pass finds nothing: work that was under way when the project was closed may have added rows.
  for (let found = true; found; ) {
    found = false
    for (const step of steps) {
      while ((await step(whileRunning, reset.projectId)) > 0) {
        found = true
        if (++batches >= batchesPerJob || world.closing.aborted) return 'more'
        if (!(await stillRunning(world, reset))) return 'replaced'
      }
    }
  }
  return 'done'
}

async function finish(world: World, { projectId, id, kind, actor }: ResetRow): Promise<boolean> {
  return world.db.transaction(async (tx) => {
    await lockProjectToErase(tx, projectId)
    const [finished] = await tx.run(finishReset, [projectId, id, world.clock.now()])
    if (!finished) return false
    if (kind === 'RESET') {
      await openProject(tx, projectId)
      await recordChange(world, tx, { projectId, fields: ['reset'], ...(actor && { by: actor }) })
    } else {
      await tx.run(deleteResets, [projectId])
      await dropProject(tx, projectId)
    }
    return true
  })
}
