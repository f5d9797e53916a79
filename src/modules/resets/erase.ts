import { announceEverywhere } from '../../kit/announce.ts'
import { topic } from '../../kit/notices.ts'
import type { World } from '../../kit/world.ts'
import { dropProject, holdToErase, openProject } from '../projects/erase.ts'
import { keysTopic } from '../projects/keys.ts'
import { type ResetJob, resetQueue } from './shapes.ts'
import { claimLost, finishReset, forgetResets, type ResetRow, touchReset } from './sql.ts'
import { deleteSteps, resetSteps } from './steps.ts'

/** Notices of resets that are done. */
export const resetsTopic = topic('resets')

// A job must end before the queue gives it to another worker; some seconds of work, as each batch is short.
const batchesAtOnce = 100
const lostAfterMs = 2 * 60_000

/**
 * Goes on with a reset or deletion for some batches that each commit, and queues the rest. Safe to run again after a
 * crash, and by two workers at once.
 */
export async function continueReset(world: World, job: ResetJob): Promise<void> {
  const reset = await touch(world, job)
  if (!reset) return
  // Before the first row goes nobody may still be adding: every process has to know that the project is closed.
  await announceEverywhere(world.notices, keysTopic, job.projectId)
  const end = await eraseSome(world, reset)
  if (end === 'replaced') return
  if (end === 'more') return world.jobs.enqueue(resetQueue, job)
  if (await finish(world, reset)) {
    await announceEverywhere(world.notices, keysTopic, job.projectId)
    world.notices.publish(resetsTopic, job.id)
  }
}

/** Queues resets nobody has been at for 2 minutes: their worker ended in the middle, or their job failed too often. */
export async function resumeResets({ db, clock, jobs }: Pick<World, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const lost = await tx.run(claimLost, [new Date(now.getTime() - lostAfterMs), now])
    for (const { projectId, id } of lost) await jobs.enqueue(resetQueue, { projectId, id }, tx)
  })
}

async function touch({ db, clock }: Pick<World, 'db' | 'clock'>, { projectId, id }: ResetJob): Promise<ResetRow | undefined> {
  const [row] = await db.run(touchReset, [projectId, id, clock.now()])
  return row
}

async function eraseSome(world: World, reset: ResetRow): Promise<'done' | 'more' | 'replaced'> {
  const steps = reset.kind === 'DELETE' ? deleteSteps : resetSteps
  let batches = 0
  // Until a whole pass finds nothing: work that was under way when the project was closed may have added some.
  for (let found = true; found; ) {
    found = false
    for (const step of steps) {
      while ((await step(world, reset.projectId)) > 0) {
        found = true
        if (++batches >= batchesAtOnce || world.closing.aborted) return 'more'
        if (!(await touch(world, reset))) return 'replaced'
      }
    }
  }
  return 'done'
}

async function finish({ db, clock }: Pick<World, 'db' | 'clock'>, { projectId, id, kind }: ResetRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdToErase(tx, projectId)
    const [finished] = await tx.run(finishReset, [projectId, id, clock.now()])
    if (!finished) return false
    if (kind === 'RESET') await openProject(tx, projectId)
    else {
      await tx.run(forgetResets, [projectId])
      await dropProject(tx, projectId)
    }
    return true
  })
}
