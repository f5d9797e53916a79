import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdWindow, idKey, numberedPage, readConnection } from '../../kit/paging.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import type { StoredWorkflow, Workflow, WorkflowIssue, WorkflowListFilter, WorkflowSearch } from './shapes.ts'
import { findDanglingSteps } from './sql.ts'

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

/** A workflow as it is answered, with what is wrong with it since its last change. */
export function shown({ eventName, issues, ...row }: StoredWorkflow, since: WorkflowIssue[]): Workflow {
  return { ...row, triggerConfig: eventName === null ? null : { eventName }, issues: withSince(issues, since) }
}

// Only issues that were found here are stored, which the type of the column does not say.
function withSince(stored: unknown, since: WorkflowIssue[]): WorkflowIssue[] {
  const then = (stored as WorkflowIssue[]).filter(({ code }) => code !== 'deleted_segment')
  return [...then, ...since].slice(0, maxIssues)
}

/** What is wrong with some workflows since their last change: conditions that ask for segments that were deleted. */
export async function issuesSince({ db, projectId }: Call, ids: string[]): Promise<Map<string, WorkflowIssue[]>> {
  const found = ids.length > 0 ? await db.run(findDanglingSteps, [projectId, ids]) : []
  const issues = found.map(({ workflowId, stepId, name }): { workflowId: string; issue: WorkflowIssue } => {
    const message = `The condition of "${name}" refers to a segment that was deleted: it has no members.`
    return { workflowId, issue: { code: 'deleted_segment', severity: 'WARNING', message, stepId } }
  })
  return new Map([...Map.groupBy(issues, ({ workflowId }) => workflowId)].map(([id, all]) => [id, all.map(({ issue }) => issue)]))
}

const loadIssuesSince = loader(async (ctx, ids) => [...(await issuesSince(ctx, ids))].map(([id, since]) => ({ id, since })))

/** What is wrong with a workflow, at most 100 issues; parallel calls are one statement. */
export async function listIssues(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  workflow: Pick<StoredWorkflow, 'id' | 'issues'>,
): Promise<WorkflowIssue[]> {
  const found = await loadIssuesSince(ctx, workflow, {})
  return withSince(workflow.issues, found?.since ?? [])
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
    const since = await issuesSince(ctx, ids)
    return rows.map((row) => shown(row, since.get(row.id) ?? []))
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
