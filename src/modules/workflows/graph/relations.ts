import { bodyLoader } from '../../../kit/bodies.ts'
import type { Ctx } from '../../../kit/context.ts'
import { countsOf } from '../../../kit/counts.ts'
import { notFound } from '../../../kit/errors.ts'
import { loader, type Reading, type ReadingAlone } from '../../../kit/load.ts'
import type { WorkflowIssue } from '../shapes.ts'
import { countStepsOfTemplates, selectConfigs, selectExitConfigs } from './sql.ts'
import { listExits } from './structure.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** The columns of a step that are shown, without its config, which may be large. */
export const stepColumns = { id: true, workflowId: true, type: true, name: true, x: true, y: true, updatedAt: true } as const

/** The columns of a transition that are shown. */
export const transitionColumns = { id: true, fromStepId: true, toStepId: true, branch: true, priority: true } as const

/** A step as it is stored. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredStep({ db, projectId }: Call, { id }: { id: string }) {
  const row = await db.prisma.workflowStep.findUnique({ where: { projectId_id: { projectId, id } }, select: stepColumns })
  if (!row) throw notFound()
  return row
}

/** A step with the columns that are shown. */
export type StoredStep = Awaited<ReturnType<typeof getStoredStep>>

/** One step, or null when there is none; parallel lookups are read in one statement. */
export const findStep = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.workflowStep.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

const loadConfig = bodyLoader({ select: selectConfigs })

/**
 * The config of a step; none of one that has been removed meanwhile. Of the steps that a call asks for at once only the first one and 4 MB
 * are read. Fails with PAYLOAD_TOO_LARGE for the others.
 */
export async function findStepConfig(ctx: ReadingAlone, { id }: { id: string }): Promise<unknown> {
  return JSON.parse((await loadConfig(ctx, { id })) ?? '{}')
}

const loadExits = loader(({ db, projectId }, ids) => db.run(selectExitConfigs, [projectId, ids]))

/** The exits that a step takes, with the transitions that lead from them; those of concurrent calls are one statement. */
export async function listExitsOf(ctx: Reading, step: Omit<Parameters<typeof listExits>[0], 'config'> & { id: string }) {
  return listExits({ ...step, config: (await loadExits(ctx, step, {}))?.config })
}

/** One transition, or null when there is none; parallel lookups are read in one statement. */
export const findTransition = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.workflowTransition.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

const loadWaysOut = loader(async ({ db, projectId }, ids) =>
  db.prisma.workflowStep.findMany({
    select: { id: true, outgoing: { select: { id: true, branch: true } } },
    where: { projectId, id: { in: ids } },
  }),
)

/** The transition that an issue says is never taken; null of other issues. Parallel lookups are two statements. */
export async function findUnusedTransition(ctx: Reading, { code, stepId, branch }: WorkflowIssue, query: object) {
  if (code !== 'unused_transition' || branch === undefined) return null
  const step = await loadWaysOut(ctx, { id: stepId }, {})
  return findTransition(ctx, { id: step?.outgoing.find((one) => one.branch === branch)?.id }, query)
}

/** A transition as it is stored. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredTransition({ db, projectId }: Call, { id }: { id: string }) {
  const row = await db.prisma.workflowTransition.findUnique({ where: { projectId_id: { projectId, id } }, select: transitionColumns })
  if (!row) throw notFound()
  return row
}

/** The id of the workflow that a step is in. Fails with RESOURCE_NOT_FOUND. */
export async function getWorkflowOfStep(ctx: Call, step: { id: string }): Promise<string> {
  return (await getStoredStep(ctx, step)).workflowId
}

/** The id of the workflow that a transition is in. Fails with RESOURCE_NOT_FOUND. */
export async function getWorkflowOfTransition({ db, projectId }: Call, { id }: { id: string }): Promise<string> {
  const row = await db.prisma.workflowTransition.findUnique({ where: { projectId_id: { projectId, id } }, select: { workflowId: true } })
  if (!row) throw notFound()
  return row.workflowId
}

const countInBatch = countsOf(countStepsOfTemplates)

/** How many steps of workflows send a template; concurrent calls are one statement. */
export async function countStepsOfTemplate(ctx: Reading, { id }: { id: string }): Promise<number> {
  return countInBatch(ctx, id)
}
