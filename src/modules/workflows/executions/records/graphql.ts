import { builder } from '../../../../kit/builder.ts'
import { enumOf } from '../../../../kit/zod-input.ts'
import { findEmail } from '../../../emails/emails.ts'
import { StepType } from '../../graph/graphql.ts'
import { configAsGraphql } from '../../graph/spelling.ts'
import { StepStatus } from '../../shapes.ts'
import { outputText } from '../../steps/kinds.ts'
import { findStepOfVersion } from '../relations.ts'
import { findEmailIdOf, findInput, findOutput } from './records.ts'

const StepState = enumOf('WorkflowStepStatus', StepStatus, 'How far a step of an execution is.', {
  RUNNING: 'It is being done, or will be tried again.',
  WAITING: 'It waits for a time or an event.',
  COMPLETED: 'It was done.',
  FAILED: 'It could not be done.',
  CANCELLED: 'The execution ended while it waited.',
})

type StepShape = NonNullable<Awaited<ReturnType<typeof findStepOfVersion>>>
const bound = 'Of many at once the first 4 MB are answered; the others fail with PAYLOAD_TOO_LARGE.'
const output = `What it did or found out, with operators and units spelled as in \`WorkflowStep.config\`; null before. ${bound} By type:\n${outputText}`

/** A step of the version that an execution is on. */
export const Step = builder.objectRef<StepShape>('WorkflowExecutionStep').implement({
  description: 'A step, as the version of an execution has it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `stp_`.' }),
    name: t.exposeString('name', { description: 'What people call it.' }),
    type: t.expose('type', { type: StepType, description: 'What it does.' }),
  }),
})

builder.prismaObject('WorkflowStepExecution', {
  description: 'What a step of an execution did.',
  findUnique: ({ id, executionId }, { projectId }) => ({ projectId_executionId_id: { projectId, executionId, id } }),
  select: {
    id: true,
    executionId: true,
    stepId: true,
    branch: true,
    execution: { select: { workflowId: true, version: true } },
  },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `stx_`.' }),
    step: t.field({
      type: Step,
      nullable: true,
      description: 'The step; null once the workflow was deleted.',
      extensions: { cost: 0.2 },
      resolve: ({ stepId, execution }, _args, ctx) => findStepOfVersion(ctx, { ...execution, stepId }),
    }),
    status: t.expose('status', { type: StepState, description: 'How far it is.' }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description: `What it was asked to do: its config, spelled as in \`WorkflowStep.config\`, or the request of a webhook. ${bound}`,
      resolve: async ({ stepId, execution, ...record }, _args, ctx) =>
        configAsGraphql(await findInput(ctx, record, { ...execution, stepId })),
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: output,
      resolve: async (record, _args, ctx) => configAsGraphql(await findOutput(ctx, record)),
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed: a sentence.' }),
    branch: t.string({
      nullable: true,
      description: 'The exit it took; null before, and for the plain one.',
      resolve: ({ branch }) => branch || null,
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    scheduledFor: t.expose('scheduledFor', {
      type: 'DateTime',
      nullable: true,
      description: 'When a delay or a wait ends, or the next attempt begins.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    completedAt: t.expose('completedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null before.' }),
  }),
})

builder.prismaObjectField('WorkflowStepExecution', 'email', (t) =>
  t.prismaField({
    type: 'Email',
    nullable: true,
    description: 'The email that it has sent; null where it sends none, before, and once the email has been deleted.',
    select: { id: true, executionId: true },
    resolve: async (query, record, _args, ctx) => findEmail(ctx, { id: await findEmailIdOf(ctx, record) }, query),
  }),
)
