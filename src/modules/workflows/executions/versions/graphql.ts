import { builder } from '../../../../kit/builder.ts'
import { maxSteps, maxTransitions } from '../../graph/shapes.ts'
import { exitsText, nameText } from '../../steps/kinds.ts'
import { Step } from '../records/graphql.ts'
import { findGraphOfVersion, type VersionGraph } from './versions.ts'

const Transition = builder.objectRef<NonNullable<VersionGraph['transitions']>[number]>('WorkflowExecutionTransition').implement({
  description: 'Leads from one step to another, in the version of an execution.',
  fields: (t) => ({
    fromStepId: t.exposeID('fromStepId', { description: 'Id of the step it leads from.' }),
    toStepId: t.exposeID('toStepId', { description: 'Id of the step it leads to.' }),
    branch: t.exposeString('branch', {
      nullable: true,
      description: `The exit of the step it leads from; null for none, which is the plain one. ${exitsText}`,
    }),
    name: t.exposeString('name', { description: nameText }),
  }),
})

// The executions of a page are mostly on one version, and all their graphs are read in one statement.
const cost = 0.1

const Graph = builder.objectRef<VersionGraph>('WorkflowExecutionGraph').implement({
  description: 'The steps of a workflow and what leads from one to another, as the version of an execution has them.',
  fields: (t) => ({
    steps: t.field({
      type: [Step],
      description: 'Its steps, in the order in which they were added, at most 100.',
      extensions: { maxItems: maxSteps, cost },
      resolve: ({ steps }) => steps,
    }),
    transitions: t.field({
      type: [Transition],
      nullable: true,
      description:
        'What leads from one of its steps to another, at most 300 transitions; null for an old version on which no execution is any more: only the names and types of its steps are kept.',
      extensions: { maxItems: maxTransitions, cost },
      resolve: ({ transitions }) => transitions,
    }),
  }),
})

builder.prismaObjectField('WorkflowExecution', 'graph', (t) =>
  t.field({
    type: Graph,
    nullable: true,
    description: 'The steps it goes through: those of its version, whatever has changed since. Null once the workflow was deleted.',
    select: { workflowId: true, version: true },
    resolve: (execution, _args, ctx) => findGraphOfVersion(ctx, execution),
  }),
)
