import { requireSameProject } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { createSignal } from '../../kit/signal.ts'
import type { World } from '../../kit/world.ts'
import { closeProject, hideProject, holdToErase } from '../projects/erase.ts'
import { keysTopic } from '../projects/keys.ts'
import type { Erasable } from '../projects/sql.ts'
import { resetsTopic } from './erase.ts'
import { type ResetJob, type ResetResult, resetQueue } from './shapes.ts'
import { findRunning, isRunning, noteReset, type ResetRow } from './sql.ts'

const lookEveryMs = 450
const looks = 9

/**
 * Empties a project: mails, events, contacts, templates, suppressions, counters and idempotency keys go; domains, keys,
 * members, settings, pictures, caps and reputation stay. While it runs the project can be read but not changed, so that
 * nothing is accepted that would be lost. Answers when it is done, or after 5 s with the job that goes on; a call while
 * one runs waits for that one. Fails with RESOURCE_NOT_FOUND for another project's id, PROJECT_DISABLED for a suspended project.
 */
export async function resetProject(ctx: Ctx, { id }: { id: string }): Promise<ResetResult> {
  requireSameProject(ctx, id)
  const { world, projectId } = ctx
  const { job, name } = await world.db.transaction(async (tx) => {
    const project = await held(tx, projectId)
    if (project.disabled) throw new Failure('PROJECT_DISABLED')
    const [running] = await tx.run(findRunning, [projectId])
    return { name: project.name, job: running ? { projectId, id: running.id } : await begin(ctx, tx, 'RESET') }
  })
  world.jobs.wake(resetQueue)
  await announceEverywhere(world.notices, keysTopic, projectId)
  if (await finishedInTime(world, job))
    return { success: true, message: `${name} is empty: its domains, keys, members and settings are as they were.` }
  return { message: `${name} is being emptied; until that is done it can be read but not changed.`, jobId: job.id }
}

/**
 * Deletes a project: with the answer nobody sees it any more, its keys and sessions in it end in every process; what is in
 * it is removed in the background. Works while the project is suspended. Fails with RESOURCE_NOT_FOUND for
 * another project's id, and CONFLICT while it has a paid subscription, which would go on, or sends the installation's mail.
 */
export async function deleteProject(ctx: Ctx, { id }: { id: string }): Promise<void> {
  requireSameProject(ctx, id)
  const { world, projectId } = ctx
  if (projectId === world.config.platformProjectId)
    throw new Failure('CONFLICT', 'This project sends the mail of the installation itself: name another as PLATFORM_PROJECT_ID first.')
  await world.db.transaction(async (tx) => {
    await held(tx, projectId)
    await requireUnsubscribed(ctx)
    await begin(ctx, tx, 'DELETE')
    await hideProject(tx, projectId)
  })
  world.jobs.wake(resetQueue)
  await announceEverywhere(world.notices, keysTopic, projectId)
}

async function held(tx: Transaction, projectId: string): Promise<Erasable> {
  const project = await holdToErase(tx, projectId)
  if (!project) throw notFound()
  return project
}

async function begin({ clock, jobs, projectId }: Ctx, tx: Transaction, kind: ResetRow['kind']): Promise<ResetJob> {
  const now = clock.now()
  const job = { projectId, id: newId('job', now) }
  await closeProject(tx, { projectId, at: now })
  await tx.run(noteReset, [projectId, job.id, kind, now])
  await jobs.enqueue(resetQueue, job, tx)
  return job
}

async function requireUnsubscribed({ db, projectId }: Ctx): Promise<void> {
  const account = await db.prisma.billingAccount.findUnique({ where: { projectId }, select: { subscription: true } })
  if (!account?.subscription) return
  throw new Failure('CONFLICT', 'The project has a paid subscription, which would go on without it.', {
    suggestion: 'End the subscription in the billing portal (POST /users/@me/projects/:id/billing-portal) first.',
  })
}

async function finishedInTime(world: World, { projectId, id }: ResetJob): Promise<boolean> {
  const finished = createSignal(world.closing)
  // Listening before looking: what ends in between is not missed.
  const stopListening = world.notices.listen(resetsTopic, (ids) => {
    if (!ids || ids.includes(id)) finished.notify()
  })
  try {
    for (let look = 0; look < looks; look++) {
      if ((await world.db.run(isRunning, [projectId, id])).length === 0) return true
      if ((await finished.wait(lookEveryMs)) === 'closing') return false
    }
    return false
  } finally {
    stopListening()
  }
}
