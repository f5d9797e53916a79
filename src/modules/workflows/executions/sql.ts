import type { Count } from '../../../kit/counts.ts'
import { statement } from '../../../kit/postgres/db.ts'
import type { ListSql } from '../../../kit/postgres/list.ts'
import { type ExecutionStatus, loopGuard, maxDepth, maxStartsPerHour, type StepStatus } from '../shapes.ts'
import { contextColumn, maxCopiedBytes, withInput } from './inputs/sql.ts'

/** A contact that may enter a workflow. */
export interface StartRow {
  projectId: string
  workflowId: string
  contactId: string
  /** The id of the execution. */
  id: string
  version: number
  /** The step it begins with; null in a workflow without steps. */
  stepId: string | null
  /** What was given by hand; otherwise the data of the event. */
  context: object | null
  /** The event that starts it. */
  startedBy: string | null
  depth: number
}

// One that was started by hand rests behind the lines of its transaction.
const behindAllIds = '~'
const isNewHour = `e.hour_at <= excluded.hour_at - interval '1 hour'`
const startsNow = `case when ${isNewHour} then 1 else e.starts + 1 end`
const guardedAtFirst = (row: string) => `${row}."stepId" is null or ${row}.depth >= ${maxDepth}`

/**
 * Starts executions ($1, a list of StartRow with at most one per workflow and contact; $2 now) of workflows that the transaction has
 * locked. A contact that may not enter is left out. One whose execution goes in circles, or has no step, has an execution that has
 * ended. Hand-written: the entry is the lock of a start (see WorkflowEntry), and what it says decides about the execution.
 */
export const insertExecutions = statement<{ id: string; status: ExecutionStatus }>(
  'workflows_insert_executions',
  `with asked as materialized (
     select a.* from json_to_recordset($1::json) as a(project_id text, "workflowId" text, "contactId" text, id text, version int, "stepId" text,
       context jsonb, "startedBy" text, depth int) order by 1, 2, 3),
   used as (
     update workflow_versions v set used = true from (select distinct a.project_id, a."workflowId", a.version from asked a) a
     where v.project_id = a.project_id and v.workflow_id = a."workflowId" and v.version = a.version and not v.used),
   entered as (
     insert into workflow_entries as e (project_id, workflow_id, contact_id, execution_id, hour_at, starts)
     select a.project_id, a."workflowId", a."contactId", case when not (${guardedAtFirst('a')}) then a.id end, $2, 1 from asked a
     on conflict (project_id, workflow_id, contact_id) do update set
       execution_id = case when ${startsNow} <= ${maxStartsPerHour} then excluded.execution_id end,
       starts = ${startsNow}, hour_at = case when ${isNewHour} then excluded.hour_at else e.hour_at end
     where e.execution_id is null and exists (
       select from workflows w where w.project_id = e.project_id and w.id = e.workflow_id and w.allow_reentry)
     returning e.project_id, e.workflow_id, e.contact_id, e.execution_id, e.starts),
   begun as materialized (
     select a.*, n.execution_id, n.starts from asked a
     join entered n on n.project_id = a.project_id and n.workflow_id = a."workflowId" and n.contact_id = a."contactId"),
   lines as materialized (
     select l.project_id, l.id, l.data, l.epoch, l.xid, l.created_at, pg_column_size(l.data) > ${maxCopiedBytes} as long
     from (select distinct b.project_id, b."startedBy" as id from begun b where b."startedBy" is not null) q
     cross join lateral (
       select o.project_id, o.id, o.data, o.epoch, o.xid, o.created_at from events o where o.project_id = q.project_id and o.id = q.id limit 1) l),
   shared as (
     insert into workflow_inputs (project_id, id, data) select l.project_id, l.id, l.data from lines l where l.long on conflict do nothing)
   insert into workflow_executions (project_id, id, workflow_id, version, contact_id, status, current_step_id, context, depth, started_by, reason,
     wake_at, started_at, completed_at, updated_at, start_epoch, start_xid, came_at, rest_at, rest_epoch, rest_xid, rest_id)
   select a.project_id, a.id, a."workflowId", a.version, a."contactId", s.status, a."stepId", coalesce(a.context, case when not l.long then l.data end), a.depth, a."startedBy",
     case when s.status = 'EXITED' then '${loopGuard}' end, case when s.status = 'RUNNING' then $2::timestamptz end, $2,
     case when s.status <> 'RUNNING' then $2::timestamptz end, $2,
     case when a."startedBy" is null then log_epoch() end, case when a."startedBy" is null then pg_current_xact_id() end,
     coalesce(l.created_at, $2), coalesce(l.created_at, $2), coalesce(l.epoch, log_epoch()), coalesce(l.xid, pg_current_xact_id()), coalesce(l.id, '${behindAllIds}')
   from begun a
   cross join lateral (select (case when a.execution_id is not null then 'RUNNING' when a.depth >= ${maxDepth} or a.starts > ${maxStartsPerHour}
     then 'EXITED' else 'COMPLETED' end)::workflow_execution_status as status) s
   left join lines l on l.project_id = a.project_id and l.id = a."startedBy"
   returning id, status::text as status`,
)

/** Locks a workflow ($2) against changes and deletion until the transaction ends. */
export const lockToStart = statement<object>(
  'workflows_lock_to_start',
  'select 1 from workflows where project_id = $1 and id = $2 for share',
)

/**
 * Workflows ($2) that the transaction has locked, as executions start on them. A statement of its own: one that has waited for the lock
 * does not see the version that was made meanwhile.
 */
export const selectToStart = statement<{ workflowId: string; name: string; enabled: boolean; version: number; stepId: string | null }>(
  'workflows_select_to_start',
  `select w.id as "workflowId", w.name, w.enabled, w.version, v.graph ->> 'entry' as "stepId"
   from workflows w join workflow_versions v on v.project_id = w.project_id and v.workflow_id = w.id and v.version = w.version
   where w.project_id = $1 and w.id = any($2::text[])`,
)

/** Whether a contact ($2) exists; it is locked against its deletion until the transaction ends. */
export const lockContact = statement<object>(
  'workflows_lock_contact',
  'select 1 from contacts where project_id = $1 and id = $2 and deleted_at is null for key share',
)

/** The execution of a workflow ($2) that a contact ($3) is in: null when it has ended. */
export const findEntry = statement<{ executionId: string | null }>(
  'workflows_find_entry',
  `select execution_id as "executionId" from workflow_entries where project_id = $1 and workflow_id = $2 and contact_id = $3`,
)

/** An execution that was ended from outside. */
export interface EndedRow {
  projectId: string
  id: string
  workflowId: string
  workflowName: string
  contactId: string
  depth: number
  status: ExecutionStatus
  reason: string
}

/**
 * Locks executions ($1 projects, $2 ids, in pairs) that have not ended until the transaction ends. A statement of its own: one that has
 * waited for a step that was being stored does not see what that has recorded.
 */
export const lockActive = statement<object>(
  'workflows_lock_active',
  `select 1 from unnest($1::text[], $2::text[]) as a(project_id, id)
   join workflow_executions x on x.project_id = a.project_id and x.id = a.id
   where x.status in ('RUNNING', 'WAITING') order by x.project_id, x.id for no key update of x`,
)

/**
 * Ends executions ($1 projects, $2 ids, in pairs) that have not ended and that the transaction has locked: $3 the state, $4 the reason of
 * each, $5 now. Their open steps are cancelled, webhooks that were not called stay so, and their contacts may enter again.
 */
export const endExecutions = statement<EndedRow>(
  'workflows_end_executions',
  `with asked as materialized (select * from unnest($1::text[], $2::text[], $4::text[]) as a(project_id, id, reason)),
   held as materialized (
     select x.project_id, x.id, a.reason from asked a join workflow_executions x on x.project_id = a.project_id and x.id = a.id
     where x.status in ('RUNNING', 'WAITING') order by x.project_id, x.id for no key update of x),
   ended as (
     update workflow_executions x set status = $3::workflow_execution_status, reason = h.reason, completed_at = $5, updated_at = $5,
       wake_at = null, waits_for = null, claim = null
     from held h where x.project_id = h.project_id and x.id = h.id
     returning x.project_id, x.id, x.workflow_id, x.contact_id, x.depth, x.status, x.reason),
   stopped as (
     update workflow_step_executions s set status = 'CANCELLED', completed_at = greatest($5, s.started_at) from ended e
     where s.project_id = e.project_id and s.execution_id = e.id and s.completed_at is null),
   uncalled as (
     delete from workflow_calls k using ended e where k.project_id = e.project_id and k.execution_id = e.id),
   released as (
     update workflow_entries n set execution_id = null from ended e
     where n.project_id = e.project_id and n.workflow_id = e.workflow_id and n.contact_id = e.contact_id and n.execution_id = e.id)
   select e.project_id as "projectId", e.id, e.workflow_id as "workflowId", coalesce(w.name, '') as "workflowName", e.contact_id as "contactId",
     e.depth, e.status::text as status, e.reason
   from ended e left join workflows w on w.project_id = e.project_id and w.id = e.workflow_id`,
)

/** The next executions of a workflow ($2) that have not ended, after an id ($3) and up to another ($4), at most $5. */
export const selectActive = statement<{ id: string }>(
  'workflows_select_active',
  `select id from workflow_executions
   where project_id = $1 and workflow_id = $2 and status in ('RUNNING', 'WAITING') and id > $3 and id <= $4 order by id limit $5`,
)

/** The next executions of a contact ($2) after an id ($3), at most $4. */
export const selectOfContact = statement<{ id: string }>(
  'workflows_select_of_contact',
  'select id from workflow_executions where project_id = $1 and contact_id = $2 and id > $3 order by id limit $4',
)

/** Removes what some executions ($2) and their steps say about their contact. */
export const emptyExecutions = statement<object>(
  'workflows_empty_executions',
  `with emptied as (update workflow_executions set context = null where project_id = $1 and id = any($2::text[]) returning project_id, id)
   update workflow_step_executions s set input = null, output = null, error = null from emptied e
   where s.project_id = e.project_id and s.execution_id = e.id`,
)

/** The newest execution of a workflow ($2). */
export const findNewestExecution = statement<{ id: string }>(
  'workflows_find_newest_execution',
  'select id from workflow_executions where project_id = $1 and workflow_id = $2 order by id desc limit 1',
)

/** An execution as it is stored, without its context. */
export interface ExecutionRow {
  id: string
  workflowId: string
  version: number
  contactId: string
  status: ExecutionStatus
  currentStepId: string | null
  exitReason: string | null
  startedAt: Date
  completedAt: Date | null
  updatedAt: Date
}

const columns = (row: string) => `${row}.id, ${row}.workflow_id as "workflowId", ${row}.version, ${row}.contact_id as "contactId",
  ${row}.status::text as status, ${row}.current_step_id as "currentStepId", ${row}.reason as "exitReason", ${row}.started_at as "startedAt",
  ${row}.completed_at as "completedAt", ${row}.updated_at as "updatedAt"`

/** An execution ($3) of a workflow ($2). */
export const selectExecution = statement<ExecutionRow & { context: Record<string, unknown> | null }>(
  'workflows_select_execution',
  `select ${columns('x')}, ${contextColumn} as context from workflow_executions x ${withInput}
   where x.project_id = $1 and x.workflow_id = $2 and x.id = $3`,
)

/** A page of the executions of a workflow ($2), newest first: $3 state or null, $4 how many to skip, $5 how many. */
export const selectExecutions = statement<ExecutionRow>(
  'workflows_select_executions',
  `select ${columns('x')} from workflow_executions x
   where x.project_id = $1 and x.workflow_id = $2 and ($3::text is null or x.status = $3::workflow_execution_status)
   order by x.id desc offset $4 limit $5`,
)

/** The addresses of contacts ($2) that were not deleted. */
export const selectAddresses = statement<{ id: string; email: string }>(
  'workflows_select_addresses',
  'select id, email from contacts where project_id = $1 and id = any($2::text[]) and deleted_at is null',
)

/** What a step of an execution did. */
export interface StepExecutionRow {
  id: string
  stepId: string
  status: StepStatus
  input: unknown
  output: unknown
  error: string | null
  branch: string | null
  attempts: number
  scheduledFor: Date | null
  startedAt: Date
  completedAt: Date | null
}

/** What the steps of an execution ($2) did, in order. */
export const selectStepExecutions = statement<StepExecutionRow>(
  'workflows_select_step_executions',
  `select s.id, s.step_id as "stepId", s.status::text as status, s.input, s.output, s.error, s.branch, s.attempts, s.scheduled_for as "scheduledFor",
     s.started_at as "startedAt", s.completed_at as "completedAt"
   from workflow_step_executions s where s.project_id = $1 and s.execution_id = $2 order by s.id limit 100`,
)

/** The executions of a workflow, or those in a state, as they are counted. */
export const executionListSql: ListSql<{
  workflowId?: string | undefined
  contactId?: string | undefined
  status?: ExecutionStatus | undefined
}> = {
  name: 'workflow_executions',
  table: 'workflow_executions',
  columns: columns('l'),
  conditions: [
    ['workflowId', (at) => `l.workflow_id = ${at}`],
    ['contactId', (at) => `l.contact_id = ${at}`],
    ['status', (at) => `l.status = ${at}::workflow_execution_status`],
  ],
}

/** The number of executions of each of some contacts ($2). */
export const countOfContacts = statement<Count>(
  'workflows_count_of_contacts',
  `select q.id, (select count(*)::int from workflow_executions x where x.project_id = $1 and x.contact_id = q.id) as count
   from unnest($2::text[]) as q(id)`,
)

/** How many executions have come to steps ($1 projects, $2 workflows, $3 steps, in triples), left them and failed there, in the order given. */
export const selectStepCounts = statement<{ entered: number; completed: number; failed: number }>(
  'workflows_select_step_counts',
  `select coalesce(n.entered, 0)::float8 as entered, coalesce(n.completed, 0)::float8 as completed, coalesce(n.failed, 0)::float8 as failed
   from unnest($1::text[], $2::text[], $3::text[]) with ordinality as q(project_id, workflow_id, step_id, ord)
   cross join lateral (
     select sum(c.entered) as entered, sum(c.completed) as completed, sum(c.failed) as failed from workflow_step_counts c
     where c.project_id = q.project_id and c.workflow_id = q.workflow_id and c.step_id = q.step_id) n order by q.ord`,
)

/** How far an execution is. */
export interface Progress {
  projectId: string
  id: string
  status: ExecutionStatus
  currentStepId: string | null
  updatedAt: Date
  /** When it goes on by itself, and what its step shows before that is done. */
  resumesAt: Date | null
  attempts: number | null
  scheduledFor: Date | null
}

/** How far some executions are ($1 projects, $2 ids, in pairs). */
export const selectProgress = statement<Progress>(
  'workflows_select_progress',
  `select x.project_id as "projectId", x.id, x.status::text as status, x.current_step_id as "currentStepId", x.updated_at as "updatedAt",
     case when x.status = 'WAITING' and x.claim is null then x.wake_at end as "resumesAt", s.attempts, s.scheduled_for as "scheduledFor"
   from unnest($1::text[], $2::text[]) as q(project_id, id) join workflow_executions x on x.project_id = q.project_id and x.id = q.id
   left join lateral (
     select o.attempts, o.scheduled_for from workflow_step_executions o
     where o.project_id = x.project_id and o.execution_id = x.id and o.completed_at is null limit 1) s on true`,
)
