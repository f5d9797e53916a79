import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import type { InAnyWorkflow } from '../graph/shapes.ts'
import type { ExecutionStatus } from '../shapes.ts'
import { getStoredWorkflow } from '../workflows.ts'
import { getWorkflowExecution } from './executions.ts'
import { logEnds } from './log.ts'
import { getStoredExecution } from './relations.ts'
import type { ExecutionOfWorkflow, WorkflowExecutionWithSteps } from './shapes.ts'
import { endExecutions, findNewestExecution, lockActive, selectActive, selectExecution } from './sql.ts'
import { announce } from './start.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

const cancelledByUser = 'Cancelled by user'
const cancelledInBulk = 'Cancelled by user (bulk cancel)'
const perBatch = 1_000

/**
 * Cancels an execution: none of its steps is done after the answer, and its contact may enter again if the workflow allows that. Fails
 * with RESOURCE_NOT_FOUND, and with CONFLICT when it has ended already.
 */
export async function cancelWorkflowExecution(
  ctx: Call,
  { executionId, id: workflowId }: InAnyWorkflow<ExecutionOfWorkflow>,
): Promise<WorkflowExecutionWithSteps> {
  const { world, db, projectId } = ctx
  const id = workflowId ?? (await getStoredExecution(ctx, { id: executionId })).workflowId
  await db.transaction(async (tx) => {
    const [found] = await tx.run(selectExecution, [projectId, id, executionId])
    if (!found) throw notFound()
    const ended = await endAll(tx, world, [{ projectId, id: executionId, reason: cancelledByUser }], 'CANCELLED')
    if (ended === 0) throw new Failure('CONFLICT', 'This execution has ended already.')
  })
  return getWorkflowExecution(ctx, { id, executionId })
}

/**
 * Cancels every execution of a workflow that has not ended, in batches that each commit; those that start meanwhile go on. Returns how
 * many were cancelled. Fails with RESOURCE_NOT_FOUND.
 */
export async function cancelWorkflowExecutions(ctx: Call, { id }: { id: string }): Promise<{ id: string; cancelled: number }> {
  const { world, db, projectId } = ctx
  await getStoredWorkflow(ctx, { id })
  const [newest] = await db.run(findNewestExecution, [projectId, id])
  let cancelled = 0
  for (let after: string | undefined = newest && ''; after !== undefined; ) {
    const batch = await db.run(selectActive, [projectId, id, after, newest?.id, perBatch])
    const ends = batch.map((one) => ({ projectId, id: one.id, reason: cancelledInBulk }))
    cancelled += await db.transaction((tx) => endAll(tx, world, ends, 'CANCELLED'))
    after = batch.length === perBatch ? batch.at(-1)?.id : undefined
  }
  return { id, cancelled }
}

/** An execution to end, and why. */
export interface End {
  projectId: string
  id: string
  reason: string
}

/** Ends those of some executions that have not ended, and logs it; returns how many. */
export async function endAll(tx: Transaction, world: World, ends: End[], status: ExecutionStatus): Promise<number> {
  if (ends.length === 0) return 0
  const now = world.clock.now()
  const column = (name: keyof End) => ends.map((one) => one[name])
  await tx.run(lockActive, [column('projectId'), column('id')])
  const ended = await tx.run(endExecutions, [column('projectId'), column('id'), status, column('reason'), now])
  await logEnds(tx, world, ended)
  tx.afterCommit(() => announce(world, [...new Set(ended.map(({ projectId }) => projectId))]))
  return ended.length
}
