import { builder } from '../../../../kit/builder.ts'
import { Workflow } from '../../graphql.ts'
import { ExecutionStatus } from '../../shapes.ts'
import { getStoredWorkflow } from '../../workflows.ts'
import { getExecutionCounts, watchWorkflow } from './counts.ts'
import type { CountsRow } from './sql.ts'

const age = 'Exact while no state has more than 10,000 executions, above that at most 60 s old.'
const failing = 'Fails with SERVICE_UNAVAILABLE when counting takes longer than 15 s.'
const states: Record<ExecutionStatus, string> = {
  RUNNING: 'A step of them is being done, or will be tried again.',
  WAITING: 'They wait for a time or an event.',
  COMPLETED: 'Their last step was done.',
  EXITED: 'An EXIT step, an event or the guard against loops ended them.',
  FAILED: 'A step of them could not be done.',
  CANCELLED: 'They were stopped.',
}

const Counts = builder.objectRef<CountsRow['states']>('WorkflowExecutionCounts').implement({
  description: `How many executions of a workflow are in each state. ${age}`,
  fields: (t) =>
    Object.fromEntries(
      ExecutionStatus.options.map((state) => [
        state.toLowerCase(),
        t.int({ description: states[state], resolve: (counts) => counts[state] ?? 0 }),
      ]),
    ),
})

builder.prismaObjectField('Workflow', 'executionCounts', (t) =>
  t.field({
    type: Counts,
    nullable: true,
    description: `How many of its executions are in each state. ${failing}`,
    resolve: async (workflow, _args, ctx) => (await getExecutionCounts(ctx, workflow)).states,
  }),
)

builder.prismaObjectField('WorkflowStep', 'active', (t) =>
  t.int({
    nullable: true,
    description: `How many executions are at it now, of whatever version: RUNNING or WAITING. ${age} ${failing}`,
    select: { id: true, workflowId: true },
    resolve: async ({ id, workflowId }, _args, ctx) => (await getExecutionCounts(ctx, { id: workflowId })).steps[id] ?? 0,
  }),
)

builder.subscriptionField('workflowProgress', (t) =>
  t.field({
    type: Workflow,
    description:
      'A workflow: first as it is, then whenever it, or a count of its executions or steps, has changed, at most ten times per second. A slow reader is sent the newest state only. The stream ends when the workflow is deleted. Fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the workflow.' }) },
    subscribe: (_parent, args, ctx) => watchWorkflow(ctx, args),
    resolve: ({ id }, _args, ctx) => getStoredWorkflow(ctx, { id }),
  }),
)
