import { statement } from '../../kit/postgres/db.ts'
import { eraser, eraserOf } from '../../kit/postgres/erase.ts'
import { changedAt } from '../../kit/unchanged.ts'
import type { StoredWorkflow } from './shapes.ts'

/** Whether an event, by its name, starts executions of a workflow. */
export const isStartedBy = (name: string, workflow = 'w') =>
  `${workflow}.event_name = ${name} and ${workflow}.enabled and ${workflow}.trigger_type = 'EVENT'`

const record = `id, name, description, enabled, trigger_type::text as "triggerType", event_name as "eventName", exit_events as "exitEvents",
   allow_reentry as "allowReentry", version, issues, created_at as "createdAt", updated_at as "updatedAt"`

/**
 * Lets the next statements of the transaction look rows up in indexes, whatever the statistics say: a plan made while there were few
 * contacts and executions would be used again for many.
 */
export const avoidScans = statement<object>(
  'workflows_avoid_scans',
  `select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
  { allProjects: 'it reads no table' },
)

/**
 * A condition that a line e counts for the waits of an execution x: it comes after the moment at which that last rested; `otherwise` a
 * time, for one of which that is not known.
 */
export const comesAfterRest = (otherwise: string) => `case when x.rest_epoch is not null
       then (e.epoch, e.xid, e.id) > (x.rest_epoch, x.rest_xid, x.rest_id)
       else e.created_at >= coalesce(x.rest_at, ${otherwise}) and e.id is distinct from x.started_by end`

/** Locks a project while a workflow is added to it or an event begins to start it. Hand-written for the lock: without it, parallel calls could exceed the limit. */
export const lockProjectWorkflows = statement<object>(
  'workflows_lock_project_workflows',
  'select 1 from projects p where p.id = $1 for no key update',
  { allProjects: 'a project is found by its own id' },
)

/** The number of workflows of a project; a statement of its own, so that its snapshot is taken after the lock. */
export const countWorkflows = statement<{ count: number }>(
  'workflows_count_workflows',
  'select count(*)::int as count from workflows where project_id = $1',
)

/** The number of enabled workflows that an event ($2) starts, without one of them ($3); after the lock, too. */
export const countStartedBy = statement<{ count: number }>(
  'workflows_count_started_by',
  `select count(*)::int as count from workflows
   where project_id = $1 and ${isStartedBy('$2', 'workflows')} and id <> $3`,
)

/** Adds a workflow, which is disabled and has no steps. Hand-written, as it runs in the transaction of the lock. */
export const insertWorkflow = statement<StoredWorkflow>(
  'workflows_insert_workflow',
  `insert into workflows (project_id, id, name, description, trigger_type, event_name, exit_events, allow_reentry, created_at, updated_at)
   values ($1, $2, $3, $4, $5::workflow_trigger_type, $6, $7::text[], $8, $9, $9) returning ${record}`,
)

/** A workflow ($2), locked until the transaction ends: its settings and its graph change one after the other. */
export const lockWorkflow = statement<StoredWorkflow>(
  'workflows_lock_workflow',
  `select ${record} from workflows where project_id = $1 and id = $2 for no key update`,
)

// Where an event begins to start it, those that have happened before do not, however late they are handled.
const begins = `$5 and $6 = 'EVENT' and not coalesce(${isStartedBy('$7', 'w')}, false)`

/** Changes a workflow that the transaction has locked. */
export const changeWorkflow = statement<StoredWorkflow>(
  'workflows_change_workflow',
  `update workflows w set name = $3, description = $4, enabled = $5, trigger_type = $6::workflow_trigger_type, event_name = $7,
     exit_events = $8::text[], allow_reentry = $9, version = $10, issues = $11::jsonb, updated_at = ${changedAt('$12', 'w')},
     starts_epoch = case when ${begins} then log_epoch() else w.starts_epoch end,
     starts_xid = case when ${begins} then pg_current_xact_id() else w.starts_xid end
   where w.project_id = $1 and w.id = $2 returning ${record}`,
)

/** A workflow ($2), locked so that no execution of it starts until the transaction ends. */
export const lockToDelete = statement<object>(
  'workflows_lock_to_delete',
  'select 1 from workflows where project_id = $1 and id = $2 for update',
)

/** An execution of a workflow ($2) that has not ended; there may be none. A statement of its own, so that its snapshot is taken after the lock. */
export const findActiveExecution = statement<{ id: string }>(
  'workflows_find_active_execution',
  `select id from workflow_executions where project_id = $1 and workflow_id = $2 and status in ('RUNNING', 'WAITING') limit 1`,
)

/** Removes a workflow with its steps, transitions and versions. */
export const removeWorkflow = statement<object>('workflows_remove_workflow', 'delete from workflows where project_id = $1 and id = $2')

/** The steps of some workflows ($2) whose conditions refer to segments. */
export const selectAskingSteps = statement<{ workflowId: string; stepId: string; name: string; segmentIds: string[] }>(
  'workflows_select_asking_steps',
  `select s.workflow_id as "workflowId", s.id as "stepId", s.name, s.segment_ids as "segmentIds" from workflow_steps s
   where s.project_id = $1 and s.workflow_id = any($2::text[]) and s.segment_ids <> '{}' order by s.id`,
)

/** How many executions of a deleted workflow are removed together. */
export const executionsPerBatch = 1_000

/** Removes one batch of the executions of a deleted workflow, with what their steps did; returns how many, 0 when none is left. */
export const eraseExecutionsOf = eraserOf('workflow_executions', { of: 'workflow_id', key: 'id', max: executionsPerBatch })

/** Removes one batch of the entries of contacts into a deleted workflow; returns how many, 0 when none is left. */
export const eraseEntriesOf = eraserOf('workflow_entries', { of: 'workflow_id', key: 'contact_id', max: 5_000 })

/** Removes the counts of the steps of a deleted workflow ($2). */
export const removeStepCountsOf = statement<object>(
  'workflows_remove_step_counts_of',
  'delete from workflow_step_counts where project_id = $1 and workflow_id = $2',
)

/** Removes one batch of a project's workflows, with their graphs; returns how many, 0 when none is left. */
export const eraseSomeWorkflows = eraser('workflows', 'id', 50)

/** Removes one batch of a project's executions, with what their steps did; returns how many, 0 when none is left. */
export const eraseSomeExecutions = eraser('workflow_executions', 'id', 1_000)

/** Removes one batch of which contacts entered a project's workflows; returns how many, 0 when none is left. */
export const eraseSomeEntries = eraser('workflow_entries', 'contact_id', 2_000)

/** Removes one batch of the counts of a project's steps; returns how many, 0 when none is left. */
export const eraseSomeStepCounts = eraser('workflow_step_counts', 'step_id', 500)
