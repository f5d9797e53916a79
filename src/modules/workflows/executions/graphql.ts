import { z } from 'zod'
import { builder, nodesOf, payloadOf, selectionOf } from '../../../kit/builder.ts'
import { connect, idWindow } from '../../../kit/paging.ts'
import { ById } from '../../../kit/shapes.ts'
import { enumOf, filterOf, graphqlInput } from '../../../kit/zod-input.ts'
import { findContact } from '../../contacts/contacts.ts'
import { findEvent } from '../../events/events.ts'
import { Workflow } from '../graphql.ts'
import { ExecutionStatus } from '../shapes.ts'
import { findWorkflow, getStoredWorkflow } from '../workflows.ts'
import { cancelWorkflowExecution, cancelWorkflowExecutions } from './cancel.ts'
import { findExecutionContext } from './inputs/inputs.ts'
import { connectExecutions } from './lists/lists.ts'
import { findExecutionIdOf } from './log.ts'
import { Step } from './records/graphql.ts'
import {
  countExecutionsOf,
  countVisits,
  eventWaitedFor,
  executionColumns,
  findExecution,
  findExecutionOf,
  findStepOfVersion,
  getStoredExecution,
  resumesAt,
  type StoredExecution,
  watchExecution,
} from './relations.ts'
import { ExecutionDraft, ExecutionListFilter, ExecutionOfWorkflow } from './shapes.ts'
import { startWorkflowExecution } from './start.ts'

const Status = enumOf('WorkflowExecutionStatus', ExecutionStatus, 'How far an execution is.', {
  RUNNING: 'A step is being done, or will be tried again.',
  WAITING: 'It waits for a time or an event.',
  COMPLETED: 'Its last step was done.',
  EXITED: 'An EXIT step, an event or the guard against loops ended it.',
  FAILED: 'A step could not be done.',
  CANCELLED: 'It was stopped.',
})

const Execution = builder.prismaNode('WorkflowExecution', {
  description: 'The way of a contact through a workflow.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `exe_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: executionColumns,
  fields: (t) => ({
    workflow: t.prismaField({
      type: Workflow,
      nullable: true,
      description: 'The workflow; null once it was deleted.',
      resolve: (query, { workflowId }, _args, ctx) => findWorkflow(ctx, { id: workflowId }, query),
    }),
    version: t.exposeInt('version', { description: 'The version of the steps of the workflow that it goes through.' }),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact; null once it was deleted: then context, inputs, outputs and errors are removed as well.',
      resolve: (query, { contactId }, _args, ctx) => findContact(ctx, { id: contactId }, query),
    }),
    status: t.expose('status', { type: Status, description: 'How far it is.' }),
    currentStep: t.field({
      type: Step,
      nullable: true,
      description: 'The step it is at, or ended at; null when it was completed.',
      resolve: ({ workflowId, version, currentStepId }, _args, ctx) =>
        currentStepId === null ? null : findStepOfVersion(ctx, { workflowId, version, stepId: currentStepId }),
    }),
    exitReason: t.exposeString('reason', { nullable: true, description: 'Why it ended, unless it was completed.' }),
    context: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The data of the event that started it, or what was given by hand. Of many executions at once the first 4 MB are answered; the others fail with PAYLOAD_TOO_LARGE.',
      resolve: ({ id }, _args, ctx) => findExecutionContext(ctx, { id }),
    }),
    stepExecutions: t.relation('steps', {
      description: 'What its steps did, in order, at most 100.',
      query: { orderBy: { id: 'asc' }, take: 100 },
      // All of a page are read in one statement.
      extensions: { maxItems: 100, cost: 0.5 },
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true, description: 'When it ended, in whatever way; null before.' }),
  }),
})

builder.prismaObjectFields(Execution, (t) => ({
  resumesAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it goes on, or no longer waits for an event; null unless it waits for a time.',
    resolve: (execution) => resumesAt(execution),
  }),
  waitsFor: t.string({
    nullable: true,
    description: 'The name of the event that it waits for; null unless it waits for one.',
    resolve: (execution) => eventWaitedFor(execution),
  }),
  startedBy: t.prismaField({
    type: 'Event',
    nullable: true,
    description: 'The event that started it; null when it was started by hand, and once the event has been deleted.',
    resolve: (query, { startedBy }, _args, ctx) => findEvent(ctx, { id: startedBy }, query),
  }),
}))

const ExecutionConnection = builder.connectionObject(
  { type: Execution, name: 'WorkflowExecutionConnection', description: 'Executions of workflows, newest first.' },
  { name: 'WorkflowExecutionEdge' },
)

const filter = filterOf('WorkflowExecutionFilter', ExecutionListFilter, 'Which executions a list holds: all conditions apply.')

builder.prismaObjectField('Workflow', 'executions', (t) =>
  t.connection(
    {
      type: Execution,
      description: 'Its executions, newest first.',
      args: filter.args(t),
      resolve: async ({ id }, args, ctx, info) =>
        connectExecutions(ctx, { workflowId: id, ...filter.read(args) }, args, await selectionOf(ctx, info, 'WorkflowExecution')),
    },
    ExecutionConnection,
  ),
)

builder.prismaObjectField('Contact', 'executions', (t) =>
  t.connection(
    {
      type: Execution,
      description: 'The executions of workflows for it, newest first.',
      select: async (args, _ctx, nested) => ({
        executions: await nested({ ...idWindow('execution', args), select: { id: true } }, nodesOf('WorkflowExecution')),
      }),
      resolve: (contact, args, ctx) => connect(contact.executions as StoredExecution[], args, () => countExecutionsOf(ctx, contact)),
    },
    ExecutionConnection,
  ),
)

builder.prismaObjectField('Email', 'execution', (t) =>
  t.prismaField({
    type: Execution,
    nullable: true,
    description: 'The execution of a workflow that sent it; null where there is none, and once it was removed with its workflow.',
    select: { executionId: true },
    resolve: (query, { executionId }, _args, ctx) => findExecution(ctx, { id: executionId }, query),
  }),
)

builder.prismaObjectField('Event', 'execution', (t) =>
  t.prismaField({
    type: Execution,
    nullable: true,
    description: 'The execution of a workflow it is about, also by one of its emails; null where there is none.',
    select: { id: true, name: true, emailId: true },
    resolve: async (query, { emailId, ...line }, _args, ctx) =>
      findExecutionOf(ctx, { executionId: await findExecutionIdOf(ctx, line), emailId }, query),
  }),
)

const counts = {
  entered: 'How many executions have come to it, of whatever version.',
  completed: 'How many have left it.',
  failed: 'How many have failed at it.',
} as const
builder.prismaObjectFields('WorkflowStep', (t) =>
  Object.fromEntries(
    (Object.keys(counts) as (keyof typeof counts)[]).map((name) => [
      name,
      t.int({
        description: counts[name],
        select: { id: true, workflowId: true },
        resolve: async ({ id, workflowId }, _args, ctx) => (await countVisits(ctx, { workflowId, stepId: id }))[name],
      }),
    ]),
  ),
)

builder.queryField('workflowExecution', (t) =>
  t.field({
    type: Execution,
    nullable: true,
    description: 'One execution of a workflow; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the execution.' }) },
    resolve: (_parent, args, ctx) => getStoredExecution(ctx, args),
  }),
)

const draft = graphqlInput('StartWorkflowExecutionInput', ExecutionDraft, { names: { id: 'workflowId' } })
const cancellation = graphqlInput('CancelWorkflowExecutionInput', ExecutionOfWorkflow.omit({ id: true }), { names: { executionId: 'id' } })
const cancellations = graphqlInput('CancelWorkflowExecutionsInput', ById.extend({ id: z.string().describe('Id of the workflow.') }), {
  names: { id: 'workflowId' },
})

interface Changed {
  /** Of the execution. */
  id: string
}
const StartPayload = payloadOf<Changed>('StartWorkflowExecutionPayload', (t) => ({
  execution: t.field({
    type: Execution,
    description: 'The new execution.',
    resolve: ({ id }, _args, ctx) => getStoredExecution(ctx, { id }),
  }),
}))
const CancelPayload = payloadOf<Changed>('CancelWorkflowExecutionPayload', (t) => ({
  execution: t.field({
    type: Execution,
    description: 'The execution as it is now.',
    resolve: ({ id }, _args, ctx) => getStoredExecution(ctx, { id }),
  }),
}))
const CancelAllPayload = payloadOf<{ id: string; cancelled: number }>('CancelWorkflowExecutionsPayload', (t) => ({
  cancelled: t.exposeInt('cancelled', { description: 'How many executions were cancelled.' }),
  workflow: t.field({ type: Workflow, description: 'The workflow.', resolve: ({ id }, _args, ctx) => getStoredWorkflow(ctx, { id }) }),
}))

builder.mutationFields((t) => ({
  startWorkflowExecution: t.field({
    type: StartPayload,
    description:
      'Starts an execution of an enabled workflow for a contact. Fails with RESOURCE_NOT_FOUND, CONTACT_NOT_FOUND, WORKFLOW_DISABLED, EXECUTION_ACTIVE while one is under way for the contact, and CONFLICT when the contact may not enter again.',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => startWorkflowExecution(ctx, draft.read(args)),
  }),
  cancelWorkflowExecution: t.field({
    type: CancelPayload,
    description:
      'Cancels an execution: none of its steps is done after the answer. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it has ended.',
    args: cancellation.args(t),
    resolve: (_parent, args, ctx) => cancelWorkflowExecution(ctx, cancellation.read(args)),
  }),
  cancelWorkflowExecutions: t.field({
    type: CancelAllPayload,
    description: 'Cancels every execution of a workflow that has not ended. Fails with RESOURCE_NOT_FOUND.',
    args: cancellations.args(t),
    resolve: (_parent, args, ctx) => cancelWorkflowExecutions(ctx, cancellations.read(args)),
  }),
}))

builder.subscriptionField('workflowExecution', (t) =>
  t.field({
    // Of up to a hundred steps what went in and came out.
    extensions: { maxCost: 2_500 },
    type: Execution,
    description:
      'An execution: first as it is, then whenever it has changed, at most ten times per second, until it has ended. A slow reader is sent the newest state only. What is selected may cost 2,500. Fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the execution.' }) },
    subscribe: (_parent, args, ctx) => watchExecution(ctx, args),
    resolve: ({ id }, _args, ctx) => getStoredExecution(ctx, { id }),
  }),
)
