import { requireSameProject } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { createShare } from '../../kit/share.ts'
import { perWorld } from '../../kit/world.ts'
import { endPagesOfDeleted, requireNoPayments, requireUnsubscribed } from '../billing/stripe/ending.ts'
import { actorOfChange } from '../projects/changes.ts'
import { closeProject, hideProject, lockProjectToErase } from '../projects/erase.ts'
import { keysTopic } from '../projects/keys.ts'
import { stillAdmin } from '../projects/members/rights.ts'
import { untilNothingLeaves } from '../projects/queue/leaving.ts'
import type { Erasable } from '../projects/sql.ts'
import { endsWithin } from './completion.ts'
import { queueOf } from './erase.ts'
import type { ProjectResetJob, ResetResult } from './shapes.ts'
import { findRunning, insertReset, type ResetRow } from './sql.ts'

const maxWaitMs = 4_500

/**
 * Empties a project: removes emails, events, contacts, templates, campaigns, segments, workflows, suppressions, counters and idempotency keys; keeps
 * domains, keys, members, settings, pictures, caps and reputation. Meanwhile the project can be read but not changed, so
 * that nothing is accepted that would be lost. Returns when it is done, or after 5 s with the id of the job that continues;
 * a call during a reset waits for that reset. The log, which is emptied as well, then begins with who did it. Fails with RESOURCE_NOT_FOUND for another project's id, PROJECT_DISABLED for
 * a suspended project.
 */
export async function resetProject(ctx: Ctx, { id }: { id: string }): Promise<ResetResult> {
  requireSameProject(ctx, id)
  const calledAt = performance.now()
  const { job, name } = (await findReset(ctx)) ?? (await inTurn(ctx, async () => (await findReset(ctx)) ?? beginReset(ctx)))
  if (await endsWithin(ctx, job, calledAt + maxWaitMs - performance.now()))
    return { success: true, message: `${name} is empty. Its domains, keys, members and settings were kept.` }
  return { message: `${name} is being emptied. Until that is done, it can be read but not changed.`, jobId: job.id }
}

/**
 * Deletes a project. When it returns, the project is inaccessible, with its keys and memberships, in every process, and
 * none of its emails leaves any more; its data is removed in the background. Works while the project is suspended. Fails with RESOURCE_NOT_FOUND for another
 * project's id, CONFLICT while it has a paid subscription, which would continue, or sends the installation's emails, and
 * SERVICE_UNAVAILABLE while the payment provider, which is asked, does not respond.
 */
export async function deleteProject(ctx: Ctx, { id }: { id: string }): Promise<void> {
  requireSameProject(ctx, id)
  const { world, projectId } = ctx
  if (projectId === world.config.platformProjectId)
    throw new Failure('CONFLICT', 'This project sends the emails of the installation: set PLATFORM_PROJECT_ID to another project first.')
  await requireNoPayments(ctx)
  const customer = await inTurn(ctx, () =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, projectId)
      await stillAdmin(ctx, tx)
      const found = await requireUnsubscribed(tx, projectId)
      await begin(ctx, tx, 'DELETE')
      await hideProject(tx, projectId)
      return found
    }),
  )
  await announceEverywhere(world.notices, keysTopic, projectId)
  await endPagesOfDeleted(ctx, customer)
  await untilNothingLeaves(ctx)
}

/** A reset that runs, with the name of its project. */
interface RunningReset {
  name: string
  job: ProjectResetJob
}

// Whoever waits for the row of a project holds a connection: one call of each project does so, and the others wait for that one.
const turnsOf = perWorld(() =>
  createShare({
    max: Number.POSITIVE_INFINITY,
    maxPerOwner: 1,
    busy: 'Another reset or deletion of this project is about to begin.',
  }),
)

const inTurn = <Result>({ world, projectId, left }: Ctx, work: () => Promise<Result>): Promise<Result> =>
  turnsOf(world)(projectId, work, { ended: left?.() })

// Without a lock, because waiting for a reset changes nothing. The rights to join a deletion have ended with it.
async function findReset({ db, projectId }: Ctx): Promise<RunningReset | undefined> {
  const [running] = await db.run(findRunning, [projectId])
  if (running?.kind !== 'RESET') return undefined
  if (running.disabled) throw new Failure('PROJECT_DISABLED')
  return { name: running.name, job: { projectId, id: running.id } }
}

async function beginReset(ctx: Ctx): Promise<RunningReset> {
  const { world, db, projectId } = ctx
  const begun = await db.transaction(async (tx) => {
    const { name, disabled } = await lockProject(tx, projectId)
    await stillAdmin(ctx, tx)
    if (disabled) throw new Failure('PROJECT_DISABLED')
    // Another process may have begun one meanwhile.
    const [running] = await tx.run(findRunning, [projectId])
    return { name, job: running ? { projectId, id: running.id } : await begin(ctx, tx, 'RESET') }
  })
  await announceEverywhere(world.notices, keysTopic, projectId)
  return begun
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
  await jobs.enqueue(queueOf[kind], job, tx)
  return job
}
