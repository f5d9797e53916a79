import { announceEverywhere } from '../../kit/announce.ts'
import { type Ctx, callIn } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { pauseReader } from '../events/reader/reader.ts'
import { findProjectAdmins, notify } from '../notifications/notify.ts'
import { recordChange } from '../projects/changes.ts'
import { keysTopic } from '../projects/keys.ts'
import { lockProjectToSuspend, setDisabledReason } from '../projects/projects.ts'
import { reputationReader } from './count.ts'
import type { SuspensionDraft, SuspensionReason } from './shapes.ts'
import { endSuspensions, findOpenSuspension, forgive, listOpen, lockReputation, openSuspension, type SuspendedRow } from './sql.ts'

const maxListed = 1_000

/** The project of a suspension. */
type OfProject = Pick<Ctx, 'world' | 'projectId'>

/**
 * Suspends the project: when it returns, the project can be read but not changed in every process, and waiting emails are
 * not sent; those that a worker is just handing over may still leave for a second. Its owners and admins are notified. Suspending again for the same reason changes nothing. Fails with
 * RESOURCE_NOT_FOUND.
 *
 * @returns whether anything changed
 */
export async function suspendProject(ctx: OfProject, draft: SuspensionDraft): Promise<boolean> {
  const changed = await ctx.world.db.transaction((tx) => suspendWithin(tx, ctx, draft))
  if (changed) await announceSuspension(ctx)
  return changed
}

/**
 * Lifts the suspension for a reason, or all suspensions without one; a suspension for another reason stays in force. After
 * one for bounces or complaints, only later ones count. Fails with RESOURCE_NOT_FOUND.
 *
 * @returns whether anything changed
 */
export async function liftSuspension(ctx: OfProject, { reason }: { reason?: SuspensionReason } = {}): Promise<boolean> {
  const changed = await ctx.world.db.transaction((tx) => liftWithin(tx, ctx, reason ?? null))
  if (changed) await announceSuspension(ctx)
  return changed
}

/** The suspensions in force of all projects, newest first, at most 1,000: for the operator. */
export async function listSuspended({ db }: Pick<World, 'db'>): Promise<SuspendedRow[]> {
  return db.run(listOpen, [maxListed])
}

/** Suspends in the caller's transaction; if it returns true, call announceSuspension after the commit. */
export async function suspendWithin(
  tx: Transaction,
  { world, projectId }: OfProject,
  { reason, detail }: SuspensionDraft,
): Promise<boolean> {
  const at = world.clock.now()
  const project = await lockProjectToSuspend(tx, projectId)
  if (!project) throw notFound()
  const opened = await tx.run(openSuspension, [projectId, newId('suspension', at), reason, detail, at])
  if (opened.length === 0) return false
  if (!project.disabled) {
    await setDisabledReason(tx, { projectId, reason, at })
    await recordChange(callIn(world, { actor: { kind: 'system' } }), tx, { projectId, fields: ['disabled'] })
  }
  for (const { email, projectName } of await findProjectAdmins(tx, projectId)) {
    await notify(world, { to: email, kind: 'project-suspended', data: { projectName, reason, detail } }, tx)
  }
  return true
}

/** Lifts in the caller's transaction; if it returns true, call announceSuspension after the commit. */
export async function liftWithin(tx: Transaction, { world, projectId }: OfProject, reason: SuspensionReason | null): Promise<boolean> {
  const at = world.clock.now()
  // So that no line is both forgiven now and counted later.
  await pauseReader(tx, reputationReader)
  await tx.run(lockReputation, [projectId])
  if (!(await lockProjectToSuspend(tx, projectId))) throw notFound()
  const ended = await tx.run(endSuspensions, [projectId, reason, at])
  if (ended.length === 0) return false
  if (ended.some((one) => one.reason === 'EMAIL_REPUTATION')) await tx.run(forgive, [projectId, at])
  const [open] = await tx.run(findOpenSuspension, [projectId])
  await setDisabledReason(tx, { projectId, reason: open?.reason ?? null, at })
  if (open) return true
  await recordChange(callIn(world, { actor: { kind: 'system' } }), tx, { projectId, fields: ['disabled'] })
  for (const { email, projectName } of await findProjectAdmins(tx, projectId)) {
    await notify(world, { to: email, kind: 'project-lifted', data: { projectName } }, tx)
  }
  return true
}

/** Notifies every process that a project was suspended or lifted; resolves once none uses a cached state of it any more. */
export async function announceSuspension({ world, projectId }: { world: World; projectId: string }): Promise<void> {
  await announceEverywhere(world.notices, keysTopic, projectId)
}
