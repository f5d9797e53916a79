import { z } from 'zod'
import { recordOf } from '../../../kit/bounded.ts'
import { sizeOfJson } from '../../../kit/json-length.ts'
import { NumberedSearch, numberedPageOf } from '../../../kit/paging.ts'
import { Timestamp } from '../../../kit/shapes.ts'
import { ExecutionStatus, StepStatus } from '../shapes.ts'
import { StepType } from '../steps/kinds.ts'

const Step = z
  .object({ id: z.string(), name: z.string(), type: StepType })
  .meta({ id: 'WorkflowExecutionStep', description: 'A step, as the version of the execution has it.' })

const maxContextBytes = 256 * 1024

/** What an execution is started with by hand. */
export const ExecutionContext = recordOf(z.string().max(255), z.unknown(), { max: 500 }).refine(
  (context) => sizeOfJson(context) <= maxContextBytes,
  {
    error: 'must be at most 256 KB as JSON',
    params: { code: 'too_big' },
  },
)

/** The way of a contact through a workflow. */
export const WorkflowExecution = z
  .object({
    id: z.string().meta({ examples: ['exe_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    workflowId: z.string(),
    version: z.int().describe('The version of the steps of the workflow that it goes through.'),
    contactId: z.string(),
    contact: z
      .object({ id: z.string(), email: z.string() })
      .nullable()
      .describe('Null once the contact has been deleted: then context, inputs, outputs and errors are removed as well.'),
    status: ExecutionStatus,
    currentStepId: z.string().nullable().describe('The step it is at, or ended at; null when it was completed.'),
    currentStep: Step.nullable(),
    exitReason: z.string().nullable().describe('Why it ended, unless it was completed.'),
    startedAt: Timestamp,
    completedAt: Timestamp.nullable().describe('When it ended, in whatever way.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WorkflowExecution', description: 'The way of a contact through a workflow.' })
/** The way of a contact through a workflow. */
export type WorkflowExecution = z.output<typeof WorkflowExecution>

/** What a step of an execution did. */
export const WorkflowStepExecution = z
  .object({
    id: z.string().meta({ examples: ['stx_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    stepId: z.string(),
    step: Step.nullable(),
    status: StepStatus,
    input: z.unknown().describe('What the step was asked to do: its config, or the request of a webhook.'),
    output: z.unknown().describe('What it did or found out; null before.'),
    error: z.string().nullable().describe('Why it failed: a sentence.'),
    branch: z.string().nullable().describe('The exit it took: empty for the plain one; null before.'),
    attempts: z.int(),
    scheduledFor: Timestamp.nullable().describe('When a delay or a wait ends, or the next attempt begins.'),
    startedAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'WorkflowStepExecution', description: 'What a step of an execution did.' })
/** What a step of an execution did. */
export type WorkflowStepExecution = z.output<typeof WorkflowStepExecution>

/** An execution with everything that its steps did. */
export const WorkflowExecutionWithSteps = WorkflowExecution.extend({
  workflow: z.object({ id: z.string(), name: z.string() }),
  context: z.record(z.string(), z.unknown()).nullable().describe('The data of the event that started it, or what was given by hand.'),
  stepExecutions: z.array(WorkflowStepExecution).describe('In order, at most 100.'),
}).meta({ id: 'WorkflowExecutionWithSteps' })
/** An execution with everything that its steps did. */
export type WorkflowExecutionWithSteps = z.output<typeof WorkflowExecutionWithSteps>

/** A contact to start an execution for. */
export const ExecutionDraft = z
  .object({
    id: z.string().describe('Id of the workflow.'),
    contactId: z.string().describe('Id of the contact.'),
    context: ExecutionContext.nullable()
      .optional()
      .meta({ description: 'What steps may ask and print as `event.<key>`, at most 256 KB as JSON.', examples: [{ plan: 'pro' }] }),
  })
  .meta({ id: 'WorkflowExecutionDraft' })
/** A contact to start an execution for. */
export type ExecutionDraft = z.output<typeof ExecutionDraft>

/** Names an execution of a workflow. */
export const ExecutionOfWorkflow = z.object({
  id: z.string().describe('Id of the workflow.'),
  executionId: z.string().describe('Id of the execution.'),
})
/** Names an execution of a workflow. */
export type ExecutionOfWorkflow = z.output<typeof ExecutionOfWorkflow>

/** The conditions of a list of executions in REST. */
const ExecutionFilter = z.object({ status: ExecutionStatus.optional().describe('Only executions in this state.') })
/** The conditions of a list of executions in GraphQL. */
export const ExecutionListFilter = z.object({
  statuses: z
    .array(ExecutionStatus)
    .min(1)
    .max(ExecutionStatus.options.length)
    .optional()
    .describe('Only executions in one of these states.'),
  contactId: z.string().optional().describe('Only those of this contact; none for an id that is unknown.'),
})
/** The conditions of a list of executions in GraphQL. */
export type ExecutionListFilter = z.output<typeof ExecutionListFilter>

/** The query of the list of executions of a workflow. */
export const ExecutionSearch = NumberedSearch.extend(ExecutionFilter.shape).extend({ id: z.string() })
/** The query of the list of executions of a workflow. */
export type ExecutionSearch = z.output<typeof ExecutionSearch>

/** A page of executions, newest first; `executions` is the same list as `data`. */
export const ExecutionPage = numberedPageOf(WorkflowExecution)
  .extend({ executions: z.array(WorkflowExecution) })
  .meta({ id: 'WorkflowExecutionPage' })

/** How many executions were cancelled. */
export const CancelledExecutions = z.object({ cancelled: z.int() }).meta({ id: 'CancelledExecutions' })
