import { builder, nodesOf, payloadOf } from '../../../kit/builder.ts'
import type { Ctx } from '../../../kit/context.ts'
import { connect, idWindow } from '../../../kit/paging.ts'
import { IfUnchanged } from '../../../kit/unchanged.ts'
import { enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { Workflow } from '../graphql.ts'
import { exitsText, maxTakenExits, meanings, nameText, StepType as StepTypeShape } from '../steps/kinds.ts'
import { getStoredWorkflow } from '../workflows.ts'
import {
  countStepsOfTemplate,
  findStep,
  findStepConfig,
  findTransition,
  getStoredStep,
  getStoredTransition,
  listExitsOf,
  type StoredStep,
  stepColumns,
  transitionColumns,
} from './relations.ts'
import {
  type Changed,
  configText,
  maxSteps,
  maxTransitions,
  StepChange,
  StepDraft,
  StepMoves,
  StepPlace,
  StepRemoval,
  TransitionDraft,
  TransitionRemoval,
  TransitionReplacing,
} from './shapes.ts'
import { configAsGraphql, spelledAsStored, spellingText } from './spelling.ts'
import { createWorkflowStep, deleteWorkflowStep, moveWorkflowSteps, updateWorkflowStep } from './steps.ts'
import { entryOf, type StepExit } from './structure.ts'
import { createWorkflowTransition, deleteWorkflowTransition } from './transitions.ts'

/** What a step does, as GraphQL shows it. */
export const StepType = enumOf('WorkflowStepType', StepTypeShape, 'What a step does.', meanings)

const Position = builder.objectRef<{ x: number; y: number }>('StepPosition').implement({
  description: 'Where an editor shows a step, in pixels.',
  fields: (t) => ({
    x: t.exposeFloat('x', { description: 'From the left.' }),
    y: t.exposeFloat('y', { description: 'From the top.' }),
  }),
})

const Transition = builder.prismaObject('WorkflowTransition', {
  description: 'Leads from one step of a workflow to another.',
  findUnique: ({ id }, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: transitionColumns,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `trn_`.' }),
    branch: t.string({
      nullable: true,
      description: `The exit of the step it leads from; null for none, which is the plain one. ${exitsText}`,
      resolve: ({ branch }) => branch || null,
    }),
    fromStepId: t.exposeID('fromStepId', { description: 'Id of the step it leads from.' }),
    toStepId: t.exposeID('toStepId', { description: 'Id of the step it leads to.' }),
    priority: t.exposeInt('priority', { description: 'The order in which an editor shows the exits of a step.' }),
    from: t.relation('from', { description: 'The step it leads from.' }),
    to: t.relation('to', { description: 'The step it leads to.' }),
  }),
})

const Step = builder.prismaObject('WorkflowStep', {
  description: 'A step of a workflow, as it is edited: executions are on a version of it.',
  findUnique: ({ id }, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: stepColumns,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `stp_`.' }),
    type: t.expose('type', { type: StepType, description: 'What it does.' }),
    name: t.exposeString('name', { description: 'What people call it, 1 to 100 characters.' }),
    position: t.field({ type: Position, description: 'Where an editor shows it.', resolve: ({ x, y }) => ({ x, y }) }),
    config: t.field({
      type: 'JSON',
      description: `What it does: of what was sent, the parts that its type has. It can be sent again as it is. ${spellingText} Those of more than 4 MB together fail with PAYLOAD_TOO_LARGE.`,
      resolve: async (step, _args, ctx) => configAsGraphql(await findStepConfig(ctx, step)),
    }),
    template: t.relation('template', { nullable: true, description: 'The template that it sends; null for none.' }),
    workflow: t.relation('workflow', { description: 'The workflow it belongs to.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const Exit = builder.objectRef<StepExit>('WorkflowExit').implement({
  description: 'A way on from a step.',
  fields: (t) => ({
    branch: t.string({
      nullable: true,
      description: `What a transition names it by; null for the plain one. ${exitsText}`,
      resolve: ({ exit }) => exit || null,
    }),
    name: t.exposeString('name', { description: nameText }),
    transition: t.prismaField({
      type: Transition,
      nullable: true,
      description: 'Where it leads; null where the execution ends.',
      // Most steps have one exit, and the transitions of all are read in one statement.
      extensions: { cost: 0.1 },
      resolve: (query, { transitionId }, _args, ctx) => findTransition(ctx, { id: transitionId }, query),
    }),
  }),
})

builder.prismaObjectField(Step, 'exits', (t) =>
  t.field({
    type: [Exit],
    description:
      'The exits that it takes by its config, in order, at most 21, and where each leads. A transition of another exit is an issue of the workflow (UNUSED_TRANSITION).',
    extensions: { maxItems: maxTakenExits, cost: 0.1 },
    select: { id: true, type: true, outgoing: { select: { id: true, branch: true } } },
    resolve: (step, _args, ctx) => listExitsOf(ctx, step),
  }),
)

builder.prismaObjectField('Workflow', 'steps', (t) =>
  t.relation('steps', {
    description: 'Its steps, in the order in which they were added, at most 100.',
    query: { orderBy: { id: 'asc' } },
    extensions: { maxItems: maxSteps },
  }),
)

builder.prismaObjectField('Workflow', 'entryStep', (t) =>
  t.prismaField({
    type: Step,
    nullable: true,
    description: 'The step that executions begin with: the oldest one that no transition leads to; null without steps.',
    select: {
      steps: { select: { id: true }, orderBy: { id: 'asc' } },
      transitions: { select: { toStepId: true }, orderBy: { id: 'asc' } },
    },
    resolve: (query, graph, _args, ctx) => findStep(ctx, { id: entryOf(graph)?.id }, query),
  }),
)

builder.prismaObjectField('Workflow', 'transitions', (t) =>
  t.relation('transitions', {
    type: Transition,
    description: 'What leads from one of its steps to another, in the order in which they were added, at most 300 transitions.',
    query: { orderBy: { id: 'asc' } },
    extensions: { maxItems: maxTransitions },
  }),
)

builder.prismaObjectField('Template', 'workflowSteps', (t) =>
  t.connection(
    {
      type: Step,
      description: 'The steps of workflows that send it, newest first.',
      // What the connection itself needs, also when no nodes are asked for.
      select: async (args, _ctx, nested) => ({
        steps: await nested({ ...idWindow('step', args), select: { id: true } }, nodesOf('WorkflowStep')),
      }),
      // Every selection of a step contains its columns.
      resolve: (template, args, ctx) => connect(template.steps as StoredStep[], args, () => countStepsOfTemplate(ctx, template)),
    },
    { name: 'WorkflowStepConnection', description: 'Steps of workflows, newest first.' },
    { name: 'WorkflowStepEdge' },
  ),
)

const text = `${configText}\n\n${spellingText}`
const placed = StepDraft.extend({ config: StepDraft.shape.config.describe(text), ...StepPlace.shape })
const stepDraft = graphqlInput('CreateWorkflowStepInput', placed, {
  names: { id: 'workflowId' },
})
const changed = StepChange.omit({ id: true }).extend({ config: StepChange.shape.config.describe(text), ...IfUnchanged.shape })
const stepChange = graphqlInput('UpdateWorkflowStepInput', changed, {
  names: { stepId: 'id' },
  description: 'Only what is given changes; `config` is replaced as a whole, and a `templateId` of null takes the template away.',
})
const stepRemoval = graphqlInput('DeleteWorkflowStepInput', StepRemoval.omit({ id: true }), { names: { stepId: 'id' } })
const stepMoves = graphqlInput('MoveWorkflowStepsInput', StepMoves, { names: { id: 'workflowId' } })
// The long form of `branch` is for REST.
const newTransition = TransitionDraft.omit({ id: true, condition: true }).extend(TransitionReplacing.shape)
const transitionDraft = graphqlInput('CreateWorkflowTransitionInput', newTransition)
const transitionRemoval = graphqlInput('DeleteWorkflowTransitionInput', TransitionRemoval.omit({ id: true }), {
  names: { transitionId: 'id' },
})

const after = 'The workflow as it is now.'
const ofWorkflow = { type: Workflow, description: after } as const
const workflowOf = ({ workflowId }: Pick<Changed, 'workflowId'>, _args: object, ctx: Ctx) => getStoredWorkflow(ctx, { id: workflowId })
const stepOf = ({ id }: Changed, _args: object, ctx: Ctx) => getStoredStep(ctx, { id })
const CreateWorkflowStepPayload = payloadOf<Changed>('CreateWorkflowStepPayload', (t) => ({
  step: t.field({ type: Step, description: 'The new step.', resolve: stepOf }),
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))
const UpdateWorkflowStepPayload = payloadOf<Changed>('UpdateWorkflowStepPayload', (t) => ({
  step: t.field({ type: Step, description: 'The step as it is now.', resolve: stepOf }),
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))
const DeleteWorkflowStepPayload = payloadOf<Changed>('DeleteWorkflowStepPayload', (t) => ({
  deletedStepId: t.exposeID('id', { description: 'Id of the step that was deleted.' }),
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))
const MoveWorkflowStepsPayload = payloadOf<Pick<Changed, 'workflowId'>>('MoveWorkflowStepsPayload', (t) => ({
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))
const CreateWorkflowTransitionPayload = payloadOf<Changed & { isNew: boolean }>('CreateWorkflowTransitionPayload', (t) => ({
  transition: t.field({
    type: Transition,
    description: 'The transition.',
    resolve: ({ id }, _args, ctx) => getStoredTransition(ctx, { id }),
  }),
  created: t.exposeBoolean('isNew', { description: 'Whether it is new; false when it was there already.' }),
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))
const DeleteWorkflowTransitionPayload = payloadOf<Changed>('DeleteWorkflowTransitionPayload', (t) => ({
  deletedTransitionId: t.exposeID('id', { description: 'Id of the transition that was deleted.' }),
  workflow: t.field({ ...ofWorkflow, resolve: workflowOf }),
}))

builder.mutationFields((t) => ({
  createWorkflowStep: t.field({
    type: CreateWorkflowStepPayload,
    description:
      'Adds a step to a workflow, unconnected or at one place: `after` a step, `asFirst`, or by `autoConnect`. Its config may be incomplete. Fails with RESOURCE_NOT_FOUND, TEMPLATE_NOT_FOUND, with LIMIT_REACHED when the workflow has 100 steps or would have more than 300 transitions, and with VALIDATION_ERROR, also for a condition that asks for a segment that was deleted; while the workflow is enabled also for one that leads to such a segment through others.',
    args: stepDraft.args(t),
    resolve: (_parent, args, ctx) => createWorkflowStep(ctx, spelledAsStored(stepDraft.read(args))),
  }),
  updateWorkflowStep: t.field({
    type: UpdateWorkflowStepPayload,
    description:
      'Changes a step of a workflow. Fails like createWorkflowStep, and with CONFLICT when the step has changed since `ifUpdatedAt`.',
    args: stepChange.args(t),
    resolve: (_parent, args, ctx) => updateWorkflowStep(ctx, spelledAsStored(stepChange.read(args))),
  }),
  deleteWorkflowStep: t.field({
    type: DeleteWorkflowStepPayload,
    description:
      'Deletes a step with its own transitions; with `splice` what led to it leads to the step after it, which fails with CONFLICT for a step with several exits. Fails with RESOURCE_NOT_FOUND.',
    args: stepRemoval.args(t),
    resolve: (_parent, args, ctx) => deleteWorkflowStep(ctx, stepRemoval.read(args)),
  }),
}))

builder.mutationFields((t) => ({
  moveWorkflowSteps: t.field({
    type: MoveWorkflowStepsPayload,
    description:
      'Moves steps of a workflow in the editor, all or none; executions and the version of the workflow stay as they are. Fails with RESOURCE_NOT_FOUND, and with VALIDATION_ERROR for a step that is named twice.',
    args: stepMoves.args(t),
    resolve: (_parent, args, ctx) => moveWorkflowSteps(ctx, stepMoves.read(args)),
  }),
}))

builder.mutationFields((t) => ({
  createWorkflowTransition: t.field({
    type: CreateWorkflowTransitionPayload,
    description:
      'Adds a transition from one step of a workflow to another. Fails with VALIDATION_ERROR for circles, for a branch that the step does not have or that leads elsewhere (unless `replace` is true), and for a step of the type EXIT, with LIMIT_REACHED when the workflow has 300 transitions, and with RESOURCE_NOT_FOUND.',
    args: transitionDraft.args(t),
    resolve: (_parent, args, ctx) => createWorkflowTransition(ctx, transitionDraft.read(args)),
  }),
  deleteWorkflowTransition: t.field({
    type: DeleteWorkflowTransitionPayload,
    description: 'Deletes a transition; its steps stay. Fails with RESOURCE_NOT_FOUND.',
    args: transitionRemoval.args(t),
    resolve: (_parent, args, ctx) => deleteWorkflowTransition(ctx, transitionRemoval.read(args)),
  }),
}))
