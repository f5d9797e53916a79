import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import type { Queue } from '../../kit/jobs.ts'
import { NumberedSearch, numberedPageOf } from '../../kit/paging.ts'
import { line, Text, Timestamp } from '../../kit/shapes.ts'
import { EventName } from '../events/shapes.ts'

/** Maximum number of characters of the name of a workflow or a step. */
export const maxNameLength = 100
/** Maximum number of workflows per project. */
export const maxWorkflows = 500
/** Maximum number of enabled workflows of a project that one event starts. */
export const maxWorkflowsPerEvent = 20
const maxExitEvents = 20

/** How many executions of a workflow may start for one contact within an hour. */
export const maxStartsPerHour = 100
/** How many executions may lead to each other. */
export const maxDepth = 10
/** Why an execution ended that went in circles. */
export const loopGuard = 'loop guard'

/** What starts the executions of a workflow. */
export const WorkflowTrigger = z.enum(['EVENT', 'MANUAL']).meta({
  description: 'EVENT: an event of the contact, named in `triggerConfig`. MANUAL: only a call.',
  examples: ['EVENT'],
})

/** How far an execution is. */
export const ExecutionStatus = z.enum(['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']).meta({
  description:
    'RUNNING: a step is being done, or will be tried again. WAITING: for a time or an event. COMPLETED: the last step was done. EXITED: an EXIT step, an event or the guard against loops ended it. FAILED: a step could not be done. CANCELLED: it was stopped.',
  examples: ['WAITING'],
})
/** How far an execution is. */
export type ExecutionStatus = z.output<typeof ExecutionStatus>

/** How far a step of an execution is. */
export const StepStatus = z.enum(['RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED'])
/** How far a step of an execution is. */
export type StepStatus = z.output<typeof StepStatus>

/** What is wrong with a workflow. */
export const WorkflowIssueCode = z.enum([
  'missing_event',
  'missing_template',
  'incomplete',
  'unreachable',
  'missing_transition',
  'unused_transition',
  'endless_wait',
  'deleted_segment',
])

/** How bad an issue is. */
export const IssueSeverity = z.enum(['ERROR', 'WARNING'])

/** Something that is wrong with a workflow, and where. */
export const WorkflowIssue = z
  .object({
    code: WorkflowIssueCode,
    severity: IssueSeverity.describe('With an ERROR the workflow cannot be enabled, and changes of an enabled one do not take effect.'),
    message: z.string().describe('What is wrong: a sentence.'),
    stepId: z.string().nullable().describe('The step it is about; null for the workflow.'),
    branch: z
      .string()
      .optional()
      .describe('Of `missing_transition` and `unused_transition`, the exit of the step; empty for the plain one.'),
  })
  .meta({ id: 'WorkflowIssue', description: 'Something that is wrong with a workflow, and where.' })
/** Something that is wrong with a workflow, and where. */
export type WorkflowIssue = z.output<typeof WorkflowIssue>

const TriggerConfig = z
  .object({ eventName: EventName.nullable().optional().describe('The event that starts executions, 1 to 255 characters.') })
  .meta({ id: 'WorkflowTriggerConfig', description: 'What belongs to the trigger: the name of the event.' })

const fields = {
  name: line(maxNameLength).meta({ description: 'What people call it, one line of 1 to 100 characters.', examples: ['Onboarding'] }),
  description: Text.max(500)
    .nullable()
    .meta({ description: 'What it is for, for people; at most 500 characters.', examples: ['The first week after sign-up'] }),
  triggerConfig: TriggerConfig.nullable().describe(
    'The event that starts executions where `triggerType` is EVENT; kept and without effect where that is MANUAL.',
  ),
  allowReentry: z
    .boolean()
    .describe('Whether a contact may enter again once an execution has ended; otherwise a contact enters once for ever.'),
  exitEvents: listOf(EventName, { max: maxExitEvents })
    .transform((names) => [...new Set(names)])
    .meta({
      description: `Events that end the execution of the contact they happen to, at once; at most ${maxExitEvents}.`,
      examples: [['order placed']],
    }),
}

/** Steps that contacts go through one after the other. */
export const Workflow = z
  .object({
    id: z.string().meta({ examples: ['wfl_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean().describe('Whether executions can start.'),
    triggerType: WorkflowTrigger,
    triggerConfig: z
      .object({ eventName: z.string() })
      .nullable()
      .describe('The event that starts executions where `triggerType` is EVENT; null for none.'),
    allowReentry: fields.allowReentry,
    exitEvents: z.array(z.string()).describe('Events that end the execution of the contact they happen to.'),
    version: z
      .int()
      .describe(
        'The version of its steps that executions start on; 0 before it was first enabled. An execution ends on the version it began on.',
      ),
    issues: z.array(WorkflowIssue).describe('What is wrong with it, at most 100 issues.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Workflow', description: 'Steps that contacts go through one after the other.' })
/** Steps that contacts go through one after the other. */
export type Workflow = z.output<typeof Workflow>

/** A workflow as it is stored: with the issues of its last change. */
export type StoredWorkflow = Omit<Workflow, 'triggerConfig' | 'issues'> & { eventName: string | null; issues: unknown }

/** A workflow to create. */
export const WorkflowDraft = z
  .object({
    name: fields.name,
    description: fields.description.optional(),
    eventName: EventName.optional().describe('The event that starts executions: short for `triggerConfig`.'),
    triggerConfig: fields.triggerConfig.optional(),
    allowReentry: fields.allowReentry.optional(),
    exitEvents: fields.exitEvents.optional(),
  })
  .meta({ id: 'WorkflowDraft' })
/** A workflow to create. */
export type WorkflowDraft = z.output<typeof WorkflowDraft>

/** Changes to a workflow; fields that are left out stay. */
export const WorkflowChange = z
  .object({
    id: z.string(),
    name: fields.name.optional(),
    description: fields.description.optional(),
    triggerType: WorkflowTrigger.optional(),
    triggerConfig: fields.triggerConfig.optional(),
    enabled: z.boolean().optional().describe('Whether executions can start; those that have begun go on.'),
    allowReentry: fields.allowReentry.optional(),
    exitEvents: fields.exitEvents.optional(),
  })
  .meta({ id: 'WorkflowChange' })
/** Changes to a workflow. */
export type WorkflowChange = z.output<typeof WorkflowChange>

/** The conditions of a list of workflows. */
const WorkflowFilter = z.object({
  search: Text.max(200)
    .optional()
    .describe('Part of the name or description, at most 200 characters, ignoring case; `%` and `_` are not wildcards.'),
})
/** The conditions of a list of workflows in GraphQL. */
export const WorkflowListFilter = WorkflowFilter.extend({
  enabled: z.boolean().optional().describe('Only workflows that are enabled, or only those that are not.'),
})
/** The conditions of a list of workflows in GraphQL. */
export type WorkflowListFilter = z.output<typeof WorkflowListFilter>

/** The query of the list of workflows. */
export const WorkflowSearch = NumberedSearch.extend(WorkflowFilter.shape)
/** The query of the list of workflows. */
export type WorkflowSearch = z.output<typeof WorkflowSearch>

/** A page of workflows, newest first; `workflows` is the same list as `data`. */
export const WorkflowPage = numberedPageOf(Workflow)
  .extend({ workflows: z.array(Workflow) })
  .meta({ id: 'WorkflowPage' })

const EraseJob = z.object({ projectId: z.string(), workflowId: z.string() })
/** Removes the executions of a deleted workflow; what a killed worker had begun goes on soon. */
export const eraseExecutionsQueue: Queue<z.output<typeof EraseJob>> = { name: 'workflows-erase', shape: EraseJob, heartbeatSeconds: 30 }
