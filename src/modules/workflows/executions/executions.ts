import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { numberedPage } from '../../../kit/paging.ts'
import { countFiltered } from '../../../kit/postgres/totals.ts'
import { getStoredWorkflow } from '../workflows.ts'
import type { ExecutionOfWorkflow, ExecutionSearch, WorkflowExecution, WorkflowExecutionWithSteps } from './shapes.ts'
import { type ExecutionRow, executionListSql, selectAddresses, selectExecution, selectExecutions, selectStepExecutions } from './sql.ts'
import { selectFrozenNames, selectFrozenSteps } from './versions/sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** A page of the executions of a workflow, newest first, filtered by state. Fails with RESOURCE_NOT_FOUND. */
export async function listWorkflowExecutions(ctx: Call, { id: workflowId, status, ...search }: ExecutionSearch) {
  await getStoredWorkflow(ctx, { id: workflowId })
  const { world, db, projectId } = ctx
  const read = async ({ skip, take }: { skip: number; take: number }) =>
    shownAll(ctx, await db.run(selectExecutions, [projectId, workflowId, status ?? null, skip, take]))
  const found = await numberedPage(search, read, () => countFiltered({ world, db }, executionListSql, projectId, { workflowId, status }))
  return { ...found, executions: found.data }
}

/** An execution of a workflow with everything that its steps did. Fails with RESOURCE_NOT_FOUND. */
export async function getWorkflowExecution(
  ctx: Pick<Ctx, 'db' | 'projectId'>,
  { id, executionId }: ExecutionOfWorkflow,
): Promise<WorkflowExecutionWithSteps> {
  const { db, projectId } = ctx
  const workflow = await getStoredWorkflow(ctx, { id })
  const [row] = await db.run(selectExecution, [projectId, id, executionId])
  if (!row) throw notFound()
  const { context, ...execution } = row
  const records = await db.run(selectStepExecutions, [projectId, executionId])
  const asked = records.map(({ stepId }) => ({ workflowId: id, version: row.version, stepId }))
  const [[shown], steps] = await Promise.all([shownAll(ctx, [execution]), frozenSteps(ctx, asked)])
  if (!shown) throw notFound()
  const stepExecutions = records.map((record) => {
    const step = steps.get(keyOf({ workflowId: id, version: row.version, stepId: record.stepId }))
    return { ...record, input: record.input ?? step?.input ?? null, step: step ? brief(step) : null }
  })
  return { ...shown, workflow: { id, name: workflow.name }, context, stepExecutions }
}

/** A step of a version. */
export interface StepOfVersion {
  workflowId: string
  version: number
  stepId: string
}

/** A text that is different for every step of a version. */
export function keyOf({ workflowId, version, stepId }: StepOfVersion): string {
  return `${workflowId} ${version} ${stepId}`
}

/** The names and types of steps as versions have them, by workflow, version and step; those of a deleted workflow are left out. */
export async function namesOfSteps({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, asked: StepOfVersion[]) {
  const rows = asked.length === 0 ? [] : await db.run(selectFrozenNames, [projectId, ...columnsOf(asked)])
  return new Map(rows.map(({ workflowId, version, ...step }) => [keyOf({ workflowId, version, stepId: step.id }), step]))
}

// With their configs: for those of one workflow.
async function frozenSteps({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, asked: StepOfVersion[]) {
  const rows = asked.length === 0 ? [] : await db.run(selectFrozenSteps, [projectId, ...columnsOf(asked)])
  return new Map(
    rows.map(({ workflowId, version, step: { id, name, type, config, templateId } }) => {
      // An old version has only the names and types of its steps left.
      const input = config === undefined ? null : { ...config, ...(templateId !== null && { templateId }) }
      return [keyOf({ workflowId, version, stepId: id }), { id, name, type, input }]
    }),
  )
}

function columnsOf(asked: StepOfVersion[]): unknown[][] {
  return [asked.map((one) => one.workflowId), asked.map((one) => one.stepId), asked.map((one) => one.version)]
}

function brief<Step extends { id: string; name: string; type: unknown }>({ id, name, type }: Step): Pick<Step, 'id' | 'name' | 'type'> {
  return { id, name, type }
}

async function shownAll(ctx: Pick<Ctx, 'db' | 'projectId'>, rows: ExecutionRow[]): Promise<WorkflowExecution[]> {
  const { db, projectId } = ctx
  const at = rows.flatMap((row) => (row.currentStepId === null ? [] : { ...row, stepId: row.currentStepId }))
  const [contacts, steps] = await Promise.all([
    rows.length > 0 ? db.run(selectAddresses, [projectId, [...new Set(rows.map(({ contactId }) => contactId))]]) : [],
    namesOfSteps(ctx, at),
  ])
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  return rows.map((row) => {
    const step = row.currentStepId === null ? undefined : steps.get(keyOf({ ...row, stepId: row.currentStepId }))
    return { ...row, contact: byId.get(row.contactId) ?? null, currentStep: step ?? null, createdAt: row.startedAt }
  })
}
