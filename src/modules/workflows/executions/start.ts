import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { dueExecutionsTopic, executionsTopic } from '../wake.ts'
import { getWorkflowExecution } from './executions.ts'
import { logEnds, logStarts } from './log.ts'
import type { ExecutionDraft, WorkflowExecutionWithSteps } from './shapes.ts'
import { findEntry, insertExecutions, lockContact, lockToStart, type StartRow, selectToStart } from './sql.ts'

/**
 * Starts an execution of an enabled workflow for a contact. Fails with RESOURCE_NOT_FOUND, CONTACT_NOT_FOUND, WORKFLOW_DISABLED,
 * EXECUTION_ACTIVE while one of the contact is under way, and CONFLICT when the contact has been in it before and may not enter again.
 * With more than 100 starts for the contact within an hour the execution is answered EXITED, by the guard against loops.
 */
export async function startWorkflowExecution(ctx: Ctx, draft: ExecutionDraft): Promise<WorkflowExecutionWithSteps> {
  const { world, db, clock, projectId } = ctx
  const { id: workflowId, contactId, context = null } = draft
  const id = await db.transaction(async (tx) => {
    if ((await tx.run(lockToStart, [projectId, workflowId])).length === 0) throw notFound()
    const [workflow] = await tx.run(selectToStart, [projectId, [workflowId]])
    if (!workflow?.enabled) throw new Failure('WORKFLOW_DISABLED')
    if ((await tx.run(lockContact, [projectId, contactId])).length === 0) throw notFound('CONTACT_NOT_FOUND')
    const start: Start = {
      projectId,
      contactId,
      id: newId('execution', clock.now()),
      ...workflow,
      context,
      startedBy: null,
      depth: 0,
    }
    const started = await startAll(tx, world, [start])
    if (started === 0) throw await whyRefused(tx, { projectId, workflowId, contactId })
    return start.id
  })
  return getWorkflowExecution(ctx, { id: workflowId, executionId: id })
}

async function whyRefused(tx: Transaction, { projectId, workflowId, contactId }: Pick<StartRow, 'projectId' | 'workflowId' | 'contactId'>) {
  const [entry] = await tx.run(findEntry, [projectId, workflowId, contactId])
  if (entry?.executionId != null) return new Failure('EXECUTION_ACTIVE')
  return new Failure('CONFLICT', 'This contact has been in this workflow before.', {
    suggestion: 'Set "allowReentry" of the workflow, so that contacts may enter again.',
  })
}

/** A contact that may enter a workflow, which has this name. */
export type Start = StartRow & { name: string }

/** Where executions of enabled workflows start that the transaction has locked: of each its name, version and first step. */
export async function startPoints(tx: Transaction, projectId: string, workflowIds: string[]) {
  const rows = workflowIds.length === 0 ? [] : await tx.run(selectToStart, [projectId, workflowIds])
  const byId = new Map(rows.map(({ workflowId, name, version, stepId }) => [workflowId, { name, version, stepId }]))
  return (workflowId: string): Pick<Start, 'name' | 'version' | 'stepId'> => {
    const point = byId.get(workflowId)
    if (!point) throw new Error(`The enabled workflow ${workflowId} has no version to start on`)
    return point
  }
}

/**
 * Starts executions of workflows that the transaction has locked, at most one per workflow and contact, and logs it; contacts that may
 * not enter are left out. Returns how many were started.
 */
export async function startAll(tx: Transaction, world: World, starts: Start[]): Promise<number> {
  if (starts.length === 0) return 0
  const now = world.clock.now()
  const rows = starts.map((start) => ({ ...start, project_id: start.projectId }))
  const inserted = await tx.run(insertExecutions, [JSON.stringify(rows), now])
  const byId = new Map(starts.map((start) => [start.id, { ...start, workflowName: start.name }]))
  const withStatus = inserted.flatMap(({ id, status }) => {
    const start = byId.get(id)
    return start ? [{ ...start, status, reason: null }] : []
  })
  // One that the guard has ended leaves no line, which could start the next one.
  const begun = withStatus.filter(({ status }) => status !== 'EXITED')
  await logStarts(tx, world, begun)
  const done = begun.filter(({ status }) => status === 'COMPLETED')
  await logEnds(tx, world, done)
  tx.afterCommit(() => announce(world, [...new Set(withStatus.map(({ projectId }) => projectId))]))
  return inserted.length
}

/** Makes the workers look at the executions that are due, and everybody who watches one of these projects read it again. */
export function announce(world: Pick<World, 'notices'>, projects: string[]): void {
  for (const projectId of projects) {
    world.notices.publish(dueExecutionsTopic, projectId)
    world.notices.publish(executionsTopic, projectId)
  }
}
