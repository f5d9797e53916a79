import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import type { Ctx } from '../../kit/context.ts'
import { ById } from '../../kit/shapes.ts'
import { IfUnchanged } from '../../kit/unchanged.ts'
import { enumOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import { createWorkflow, deleteWorkflow, duplicateWorkflow, updateWorkflow } from './changes.ts'
import { findStep, findUnusedTransition } from './graph/relations.ts'
import {
  IssueSeverity,
  WorkflowChange,
  WorkflowDraft,
  WorkflowIssueCode,
  type WorkflowIssue as WorkflowIssueShape,
  WorkflowListFilter,
  WorkflowTrigger,
} from './shapes.ts'
import { connectWorkflows, connectWorkflowsByIds, getStoredWorkflow, listIssues, maxIssues, workflowColumns } from './workflows.ts'

const Trigger = enumOf('WorkflowTrigger', WorkflowTrigger, 'What starts the executions of a workflow.', {
  EVENT: 'An event of the contact.',
  MANUAL: 'Only a call.',
})

const IssueCode = enumOf('WorkflowIssueCode', WorkflowIssueCode, 'What is wrong with a workflow.', {
  missing_event: 'The trigger names no event, so that nothing starts the workflow.',
  missing_template: 'A step that sends an email has no template.',
  incomplete: 'The config of a step lacks something.',
  unreachable: 'No transition leads to a step.',
  missing_transition: 'A branch of a step leads nowhere: the execution ends there.',
  unused_transition: 'A transition is for a branch that its step never takes.',
  endless_wait: 'A step that waits for an event has no timeout.',
  deleted_segment:
    'A condition refers to a segment that was deleted, or to one that leads to such a segment: nobody is a member of it, and everybody is not a member of it.',
})

const Severity = enumOf('IssueSeverity', IssueSeverity, 'How bad an issue is.', {
  ERROR:
    'An execution must fail there, or everybody may be meant, as a segment was deleted: the workflow cannot be enabled, and changes of an enabled one do not take effect.',
  WARNING: 'Executions go on, perhaps not as it was meant.',
})

const Issue = builder.objectRef<WorkflowIssueShape>('WorkflowIssue').implement({
  description: 'Something that is wrong with a workflow, and where.',
  fields: (t) => ({
    code: t.expose('code', { type: IssueCode, description: 'What is wrong, for programs.' }),
    severity: t.expose('severity', { type: Severity, description: 'How bad it is.' }),
    message: t.exposeString('message', { description: 'What is wrong, for people.' }),
    stepId: t.exposeID('stepId', { nullable: true, description: 'Id of the step it is about; null for the workflow.' }),
    branch: t.string({
      nullable: true,
      description:
        'Of MISSING_TRANSITION and UNUSED_TRANSITION, the exit of the step; null for the plain one, of other issues, and of those found by an older version of this server until the workflow is changed.',
      resolve: ({ branch }) => branch || null,
    }),
    // Those of all issues are read in one statement each, and most workflows have none.
    step: t.prismaField({
      type: 'WorkflowStep',
      nullable: true,
      description: 'The step it is about; null for the workflow.',
      extensions: { cost: 0.1 },
      resolve: (query, { stepId }, _args, ctx) => findStep(ctx, { id: stepId }, query),
    }),
    transition: t.prismaField({
      type: 'WorkflowTransition',
      nullable: true,
      description:
        'Of UNUSED_TRANSITION, the transition that is never taken; null of other issues, and of those found by an older version of this server until the workflow is changed.',
      extensions: { cost: 0.1 },
      resolve: (query, issue, _args, ctx) => findUnusedTransition(ctx, issue, query),
    }),
  }),
})

const TriggerConfig = builder.objectRef<{ eventName: string }>('WorkflowTriggerConfig').implement({
  description: 'What belongs to the trigger of a workflow.',
  fields: (t) => ({ eventName: t.exposeString('eventName', { description: 'The event that starts executions.' }) }),
})

/** A workflow, as GraphQL shows it. */
export const Workflow = builder.prismaNode('Workflow', {
  description: 'Steps that contacts go through one after the other.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `wfl_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: workflowColumns,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What people call it, 1 to 100 characters.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it is for, as people wrote it; at most 500 characters.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether executions can start.' }),
    triggerType: t.expose('triggerType', { type: Trigger, description: 'What starts its executions.' }),
    triggerConfig: t.field({
      type: TriggerConfig,
      nullable: true,
      description: 'The event that starts its executions where `triggerType` is EVENT; null for none.',
      resolve: ({ eventName }) => (eventName === null ? null : { eventName }),
    }),
    allowReentry: t.exposeBoolean('allowReentry', {
      description: 'Whether a contact may enter again once an execution has ended; otherwise a contact enters once for ever.',
    }),
    exitEvents: t.exposeStringList('exitEvents', {
      description: 'Events that end the execution of the contact they happen to, at most 20.',
      extensions: { maxItems: 20 },
    }),
    version: t.exposeInt('version', {
      description: 'The version of its steps that executions start on; 0 before it was first enabled.',
    }),
    issues: t.field({
      type: [Issue],
      description: 'What is wrong with it, errors first, at most 100 issues.',
      extensions: { maxItems: maxIssues },
      resolve: (workflow, _args, ctx) => listIssues(ctx, workflow),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it, or one of its steps, last changed.' }),
  }),
})

const WorkflowConnection = builder.connectionObject(
  { type: Workflow, name: 'WorkflowConnection', description: 'Workflows, newest first.' },
  { name: 'WorkflowEdge' },
)

const users = [
  [
    'ContactFieldUsage',
    'The workflows with steps that ask or change it, also those of an earlier version that executions are on, newest first.',
  ],
  [
    'EventUsage',
    'The workflows that it starts or ends, or whose steps wait for it or ask for it, also those of an earlier version that executions are on, newest first.',
  ],
  ['SegmentUsage', 'The workflows with steps that ask who is in it, newest first.'],
] as const
for (const [usage, description] of users)
  builder.objectField(usage, 'workflows', (t) =>
    t.connection(
      {
        type: Workflow,
        description,
        resolve: async ({ usedInWorkflows }, args, ctx, info) => {
          const ids = usedInWorkflows.map(({ id }) => id)
          return connectWorkflowsByIds(ctx, ids, args, await selectionOf(ctx, info, 'Workflow'))
        },
      },
      WorkflowConnection,
    ),
  )

const filter = filterOf('WorkflowFilter', WorkflowListFilter, 'Which workflows a list holds: all conditions apply.')

builder.queryFields((t) => ({
  workflow: t.field({
    type: Workflow,
    nullable: true,
    description: 'One workflow; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the workflow.' }) },
    resolve: (_parent, args, ctx) => getStoredWorkflow(ctx, args),
  }),
  workflows: t.connection(
    {
      type: Workflow,
      description: 'The workflows of the project, newest first, at most 500.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectWorkflows(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Workflow')),
    },
    WorkflowConnection,
  ),
}))

// The short form of `triggerConfig` is for REST.
const draft = graphqlInput(
  'CreateWorkflowInput',
  WorkflowDraft.omit({ eventName: true }).extend({
    triggerType: WorkflowTrigger.optional().describe('What starts its executions. Default: EVENT.'),
  }),
)
const change = graphqlInput('UpdateWorkflowInput', WorkflowChange.extend(IfUnchanged.shape), {
  description: 'Only what is given changes; null empties the description and the trigger.',
})
const original = graphqlInput('DuplicateWorkflowInput', ById)
const deletion = graphqlInput('DeleteWorkflowInput', ById)

/** A workflow that a mutation has changed, by its id. */
interface Changed {
  id: string
}
const workflowOf = ({ id }: Changed, _args: object, ctx: Ctx) => getStoredWorkflow(ctx, { id })
const CreateWorkflowPayload = payloadOf<Changed>('CreateWorkflowPayload', (t) => ({
  workflow: t.field({ type: Workflow, description: 'The new workflow.', resolve: workflowOf }),
}))
const UpdateWorkflowPayload = payloadOf<Changed>('UpdateWorkflowPayload', (t) => ({
  workflow: t.field({ type: Workflow, description: 'The workflow as it is now.', resolve: workflowOf }),
}))
const DuplicateWorkflowPayload = payloadOf<Changed>('DuplicateWorkflowPayload', (t) => ({
  workflow: t.field({ type: Workflow, description: 'The copy.', resolve: workflowOf }),
}))
const DeleteWorkflowPayload = payloadOf<Changed>('DeleteWorkflowPayload', (t) => ({
  deletedWorkflowId: t.exposeID('id', { description: 'Id of the workflow that was deleted.' }),
}))

builder.mutationFields((t) => ({
  createWorkflow: t.field({
    type: CreateWorkflowPayload,
    description: 'Creates a workflow: it has no steps, and it is disabled. Fails with LIMIT_REACHED when the project has 500.',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => createWorkflow(ctx, draft.read(args)),
  }),
  updateWorkflow: t.field({
    type: UpdateWorkflowPayload,
    description:
      'Changes, enables or disables a workflow. Fails with VALIDATION_ERROR, naming each step, when it is enabled although a step that contacts come to must fail or asks for a segment that was deleted, also through other segments, with LIMIT_REACHED when the event already starts 20 enabled workflows of the project, with RESOURCE_NOT_FOUND, and with CONFLICT when it, or one of its steps, has changed since `ifUpdatedAt`.',
    args: change.args(t),
    resolve: (_parent, args, ctx) => updateWorkflow(ctx, change.read(args)),
  }),
  duplicateWorkflow: t.field({
    type: DuplicateWorkflowPayload,
    description:
      'Copies a workflow with its steps under its name with ` (Copy)` added; the copy is disabled. Fails with RESOURCE_NOT_FOUND, and with LIMIT_REACHED when the project has 500.',
    args: original.args(t),
    resolve: (_parent, args, ctx) => duplicateWorkflow(ctx, original.read(args)),
  }),
  deleteWorkflow: t.field({
    type: DeleteWorkflowPayload,
    description:
      'Deletes a workflow; what it has sent and logged stays. Fails with RESOURCE_NOT_FOUND, and with WORKFLOW_ACTIVE while an execution has not ended.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteWorkflow(ctx, { id })
      return { id }
    },
  }),
}))
