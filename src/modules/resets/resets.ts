import { requireSameProject } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { createSignal } from '../../kit/signal.ts'
import type { World } from '../../kit/world.ts'
import { actorOfChange } from '../projects/changes.ts'
import { closeProject, hideProject, lockProjectToErase } from '../projects/erase.ts'
import { keysTopic } from '../projects/keys.ts'
import { stillAdmin } from '../projects/members/rights.ts'
import type { Erasable } from '../projects/sql.ts'
import { resetsTopic } from './erase.ts'
import { type ProjectResetJob, projectResetQueue, type ResetResult } from './shapes.ts'
import { findRunning, insertReset, isRunning, type ResetRow } from './sql.ts'

const pollMs = 450
const maxPolls = 9

/**
 * Empties a project: removes emails, events, contacts, templates, campaigns, segments, workflows, suppressions, counters and idempotency keys; keeps
 * domains, keys, members, settings, pictures, caps and reputation. Meanwhile the project can be read but not changed, so
 * that nothing is accepted that would be lost. Returns when it is done, or after 5 s with the id of the job that continues;
 * a call during a reset waits for that reset. The log, which is emptied as well, then begins with who did it. Fails with RESOURCE_NOT_FOUND for another project's id, PROJECT_DISABLED for
 * a suspended project.
 */
export async function resetProject(ctx: Ctx, { id }: { id: string }): Promise<ResetResult> {
  requireSameProject(ctx, id)
  const { world, projectId } = ctx
  const { job, name } = await world.db.transaction(async (tx) => {
    const project = await lockProject(tx, projectId)
    await stillAdmin(ctx, tx)
    if (project.disabled) throw new Failure('PROJECT_DISABLED')
    const [running] = await tx.run(findRunning, [projectId])
    return { name: project.name, job: running ? { projectId, id: running.id } : await begin(ctx, tx, 'RESET') }
  })
  world.jobs.wake(projectResetQueue)
  await announceEverywhere(world.notices, keysTopic, projectId)
  if (await finishedInTime(world, job))
    return { success: true, message: `${name} is empty. Its domains, keys, members and settings were kept.` }
  return { message: `${name} is being emptied. Until that is done, it can be read but not changed.`, jobId: job.id }
}

/**
 * Deletes a project. When it returns, the project is inaccessible, with its keys and memberships, in every process; its
 * data is removed in the background. Works while the project is suspended. Fails with RESOURCE_NOT_FOUND for another
 * project's id, and CONFLICT while it has a paid subscription, which would continue, or sends the installation's emails.
 */
export async function deleteProject(ctx: Ctx, { id }: { id: string }): Promise<void> {
  requireSameProject(ctx, id)
  const { world, projectId } = ctx
  if (projectId === world.config.platformProjectId)
    throw new Failure('CONFLICT', 'This project sends the emails of the installation: set PLATFORM_PROJECT_ID to another project first.')
  await world.db.transaction(async (tx) => {
    await lockProject(tx, projectId)
    await stillAdmin(ctx, tx)
    await requireUnsubscribed(ctx)
    await begin(ctx, tx, 'DELETE')
    await hideProject(tx, projectId)
  })
  world.jobs.wake(projectResetQueue)
  await announceEverywhere(world.notices, keysTopic, projectId)
}

async function lockProject(tx: Transaction, projectId: string): Promise<Erasable> {
  const project = await lockProjectToErase(tx, projectId)
  if (!project) throw notFound()
  return project
}

async function begin({ clock, jobs, projectId, actor }: Ctx, tx: Transaction, kind: ResetRow['kind']): Promise<ProjectResetJob> {
  const now = clock.now()
  const job = { projectId, id: newId('job', now) }
  await closeProject(tx, { projectId, at: now })
  await tx.run(insertReset, [projectId, job.id, kind, now, JSON.stringify(actorOfChange(actor))])
  await jobs.enqueue(projectResetQueue, job, tx)
  return job
}

async function requireUnsubscribed({ db, projectId }: Ctx): Promise<void> {
  const account = await db.prisma.billingAccount.findUnique({ where: { projectId }, select: { subscription: true } })
  if (!account?.subscription) return
  throw new Failure('CONFLICT', 'The project has a paid subscription, which would continue without it.', {
    suggestion: 'Cancel the subscription in the billing portal (POST /users/@me/projects/:id/billing-portal) first.',
  })
}

async function finishedInTime(world: World, { projectId, id }: ProjectResetJob): Promise<boolean> {
  const finished = createSignal(world.closing)
  // Listen before polling, so that a reset that finishes in between is not missed.
  const stopListening = world.notices.listen(resetsTopic, (ids) => {
    if (!ids || ids.includes(id)) finished.notify()
  })
  try {
    for (let poll = 0; poll < maxPolls; poll++) {
      if ((await world.db.run(isRunning, [projectId, id])).length === 0) return true
      if ((await finished.wait(pollMs)) === 'closing') return false
    }
    return false
  } finally {
    stopListening()
  }
}
