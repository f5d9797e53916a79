import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdWindow, idKey, numberedPage, readConnection } from '../../kit/paging.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import { findBroken } from '../filters/segments/needed.ts'
import type { StoredWorkflow, Workflow, WorkflowIssue, WorkflowListFilter, WorkflowSearch } from './shapes.ts'
import { selectAskingSteps } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** Maximum number of issues of a workflow that are shown. */
export const maxIssues = 100

/** The columns of a workflow that are shown. */
export const workflowColumns = {
  id: true,
  name: true,
  description: true,
  enabled: true,
  triggerType: true,
  eventName: true,
  exitEvents: true,
  allowReentry: true,
  version: true,
  issues: true,
  createdAt: true,
  updatedAt: true,
} as const

/** A workflow as it is answered, with the steps whose conditions lead to segments that were deleted. */
export function shown({ eventName, issues, ...row }: StoredWorkflow, broken: BrokenStep[]): Workflow {
  return { ...row, triggerConfig: eventName === null ? null : { eventName }, issues: withBroken(issues, broken) }
}

// Only issues that were found here are stored, which the type of the column does not say.
function withBroken(stored: unknown, broken: BrokenStep[]): WorkflowIssue[] {
  const then = (stored as WorkflowIssue[]).filter(({ code }) => code !== 'deleted_segment')
  return errorsFirst([...then, ...issuesOfBroken(broken, then)]).slice(0, maxIssues)
}

/** Some issues, errors first. */
export function errorsFirst(issues: WorkflowIssue[]): WorkflowIssue[] {
  const isError = ({ severity }: WorkflowIssue) => severity === 'ERROR'
  return [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))]
}

/** A step whose conditions ask for a segment that was deleted, or only for one that leads to such a segment. */
export interface BrokenStep {
  workflowId: string
  stepId: string
  name: string
  isNested: boolean
}

/**
 * What is wrong with broken steps, of which `others` say whether contacts come to them. There it is an error, though the step does not
 * fail: nobody is a member of a segment that was deleted, so that "not a member of it" means everybody, who would all get the emails
 * behind it.
 */
export function issuesOfBroken(broken: BrokenStep[], others: WorkflowIssue[]): WorkflowIssue[] {
  const unreachable = new Set(others.flatMap(({ code, stepId }) => (code === 'unreachable' && stepId !== null ? stepId : [])))
  return broken.map(({ stepId, name, isNested }) => ({
    code: 'deleted_segment',
    severity: unreachable.has(stepId) ? 'WARNING' : 'ERROR',
    message: isNested
      ? `The condition of "${name}" refers to a segment that leads to one that was deleted, which has no members.`
      : `The condition of "${name}" refers to a segment that was deleted: it has no members.`,
    stepId,
  }))
}

/** The broken steps of some workflows at the moment: segments are deleted without any change of a workflow that is not enabled. */
export async function findBrokenSteps(on: Executor, projectId: string, ids: string[]): Promise<BrokenStep[]> {
  const steps = ids.length > 0 ? await on.run(selectAskingSteps, [projectId, ids]) : []
  const { deleted, leading } = await findBroken(on, projectId, [...new Set(steps.flatMap(({ segmentIds }) => segmentIds))])
  return steps.flatMap(({ segmentIds, ...step }) => {
    const asksDeleted = segmentIds.some((id) => deleted.has(id))
    return asksDeleted || segmentIds.some((id) => leading.has(id)) ? { ...step, isNested: !asksDeleted } : []
  })
}

/** The same, by the ids of the workflows. */
export async function brokenStepsOf({ db, projectId }: Call, ids: string[]): Promise<Map<string, BrokenStep[]>> {
  return Map.groupBy(await findBrokenSteps(db, projectId, ids), ({ workflowId }) => workflowId)
}

const loadBroken = loader(async (ctx, ids) => [...(await brokenStepsOf(ctx, ids))].map(([id, broken]) => ({ id, broken })))

/** What is wrong with a workflow, at most 100 issues; parallel calls share their statements. */
export async function listIssues(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  workflow: Pick<StoredWorkflow, 'id' | 'issues'>,
): Promise<WorkflowIssue[]> {
  const found = await loadBroken(ctx, workflow, {})
  return withBroken(workflow.issues, found?.broken ?? [])
}

/** A workflow as it is stored. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredWorkflow({ db, projectId }: Call, { id }: { id: string }): Promise<StoredWorkflow> {
  const row = await db.prisma.workflow.findUnique({ where: { projectId_id: { projectId, id } }, select: workflowColumns })
  if (!row) throw notFound()
  return row
}

/** One workflow, or null when there is none; parallel lookups are read in one statement. */
export const findWorkflow = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.workflow.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

function workflowList({ db, projectId }: Call, { search, enabled }: WorkflowListFilter) {
  const words = search ? { contains: escapeLike(search), mode: 'insensitive' as const } : undefined
  const where = { projectId, ...(enabled !== undefined && { enabled }), ...(words && { OR: [{ name: words }, { description: words }] }) }
  return { where, count: () => db.prisma.workflow.count({ where }) }
}

/** A page of the workflows of the project, newest first, filtered by a part of name or description. */
export async function listWorkflows(ctx: Call, search: WorkflowSearch) {
  const { where, count } = workflowList(ctx, search)
  const read = async (window: { skip: number; take: number }) => {
    const rows = await ctx.db.prisma.workflow.findMany({ where, select: workflowColumns, orderBy: { id: 'desc' }, ...window })
    const ids = rows.map(({ id }) => id)
    const broken = await brokenStepsOf(ctx, ids)
    return rows.map((row) => shown(row, broken.get(row.id) ?? []))
  }
  const found = await numberedPage<Workflow>(search, read, count)
  return { ...found, workflows: found.data }
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectWorkflows(ctx: Call, filter: WorkflowListFilter, args: ConnectionArgs, query: object) {
  const { where, count } = workflowList(ctx, filter)
  const read = async ({ where: between, ...window }: IdWindow) => ({
    rows: (await ctx.db.prisma.workflow.findMany({ ...query, ...window, where: { ...where, ...between } })) as StoredWorkflow[],
  })
  return readConnection<StoredWorkflow>({ kind: 'workflow', read, count }, args)
}

/** Some workflows as a connection, newest first, as they come; those of a page of concurrent calls are one statement. */
export async function connectWorkflowsByIds(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  ids: readonly string[],
  args: ConnectionArgs,
  query: object,
): Promise<Connection<StoredWorkflow>> {
  const page = connectWhole(
    ids.map((workflowId) => ({ id: workflowId })),
    args,
    { keyOf: (one) => [one.id] as const, shape: idKey('workflow'), newestFirst: true },
  )
  const nodes = await Promise.all(page.edges.map(({ node }) => findWorkflow(ctx, node, query)))
  const edges = page.edges.flatMap(({ cursor }, at) => (nodes[at] ? [{ cursor, node: nodes[at] as StoredWorkflow }] : []))
  return { ...page, edges }
}
