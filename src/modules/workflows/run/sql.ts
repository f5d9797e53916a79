import { statement } from '../../../kit/postgres/db.ts'
import { turnsOwnerOf } from '../../projects/owner.ts'
import type { FrozenGraph } from '../graph/structure.ts'
import type { ExecutionStatus, StepStatus } from '../shapes.ts'
import type { OpenRecord } from '../steps/visit.ts'

/** What an execution has recorded of the step it is at; what was read from the database has times as JSON has them. */
export type StoredRecord = Omit<OpenRecord, 'startedAt' | 'scheduledFor'> & { startedAt: string | Date; scheduledFor: string | Date | null }

/** An execution that a worker has claimed. */
export interface TakenExecution {
  projectId: string
  id: string
  workflowId: string
  workflowName: string
  version: number
  contactId: string
  stepId: string
  depth: number
  startedAt: Date
  /** The moment at which it last rested; null for those that an earlier version of this program has started. */
  restAt: Date | null
  /** The moment at which it came to its step; null for those that an earlier version of this program has moved last. */
  cameAt: Date | null
  /** Whose turn it takes: the account that owns the project, or the project where nobody does. */
  owner: string
  disabled: boolean
  contactDeleted: boolean
  /** Null when it has just come to the step. */
  record: StoredRecord | null
}

const across = { allProjects: 'one worker looks after all projects; rows are joined by their project_id' }

/** The columns of an execution x that `takenRows` reads as `taken`. */
export const takenColumns =
  'x.project_id, x.id, x.workflow_id, x.version, x.contact_id, x.current_step_id, x.depth, x.started_at, x.rest_at, x.came_at'

/** The executions `taken` with what decides how they go on: rows of TakenExecution. */
export const takenRows = `select t.project_id as "projectId", t.id, t.workflow_id as "workflowId", coalesce(w.name, '') as "workflowName", t.version,
     t.contact_id as "contactId", t.current_step_id as "stepId", t.depth, t.started_at as "startedAt", t.rest_at as "restAt", t.came_at as "cameAt",
     p.disabled or p.erasing_at is not null as disabled, (c.id is null or c.deleted_at is not null) as "contactDeleted", s.record,
     ${turnsOwnerOf('t.project_id')} as owner
   from taken t
   left join lateral (select * from projects o where o.id = t.project_id limit 1) p on true
   left join lateral (select * from contacts o where o.project_id = t.project_id and o.id = t.contact_id limit 1) c on true
   left join lateral (select o.name from workflows o where o.project_id = t.project_id and o.id = t.workflow_id limit 1) w on true
   left join lateral (
     select jsonb_build_object('id', o.id, 'status', o.status, 'input', o.input, 'output', o.output, 'attempts', o.attempts,
       'startedAt', o.started_at, 'scheduledFor', o.scheduled_for) as record
     from workflow_step_executions o
     where o.project_id = t.project_id and o.execution_id = t.id and o.step_id = t.current_step_id and o.completed_at is null limit 1) s on true`

// Claims the executions `due` ($1 now, $3 claim, $4 the end of the lease), and reads what decides how they go on.
const taken = `taken as (
     update workflow_executions x set claim = $3, wake_at = $4 from due d where x.project_id = d.project_id and x.id = d.id
     returning ${takenColumns})
   ${takenRows}`

/** Claims the executions that have been due longest, at most $2. */
export const takeDue = statement<TakenExecution>(
  'workflows_take_due',
  `with due as materialized (
     select x.project_id, x.id from workflow_executions x where x.wake_at <= $1 order by x.wake_at limit $2 for no key update skip locked),
   ${taken}`,
  across,
)

/** Claims the executions of some projects ($5) that have been due longest, at most $2 of each. */
export const takeTurns = statement<TakenExecution>(
  'workflows_take_turns',
  `with due as materialized (
     select r.project_id, r.id from unnest($5::text[]) as q(project_id) cross join lateral (
       select x.project_id, x.id from workflow_executions x
       where x.project_id = q.project_id and x.wake_at <= $1 order by x.wake_at limit $2 for no key update skip locked) r),
   ${taken}`,
  across,
)

/** A project with executions that wait for a time, and whether one of them is due. */
export interface Turn {
  projectId: string
  owner: string
  due: boolean
}

/** The next $3 projects after $2 that have executions which wait for a time, and whether one is due ($1 now): one lookup each. */
export const findTurns = statement<Turn>(
  'workflows_find_turns',
  `with recursive turn as (
     (select x.project_id, x.wake_at, 1 as nth from workflow_executions x where x.wake_at is not null and x.project_id > $2
      order by x.project_id, x.wake_at limit 1)
     union all
     select n.project_id, n.wake_at, t.nth + 1 from turn t cross join lateral (
       select x.project_id, x.wake_at from workflow_executions x where x.wake_at is not null and x.project_id > t.project_id
       order by x.project_id, x.wake_at limit 1) n
     where t.nth < $3)
   select t.project_id as "projectId", ${turnsOwnerOf('t.project_id')} as owner, t.wake_at <= $1 as due from turn t`,
  across,
)

/** A place in the log: of a line. */
export interface LogPlace {
  epoch: number
  xid: string
  id: string
}

/** What is stored of one visit of a step: its record, and where the execution goes on. */
export interface StepMove {
  /** Null when nothing is recorded. */
  recordId: string | null
  stepId: string
  stepStatus: StepStatus | null
  output: object | null
  error: string | null
  branch: string | null
  attempts: number
  input: object | null
  /** When a wait ends. */
  endsAt: Date | null
  /** When the visit began with which the step began; null where an earlier visit has begun it. */
  beganAt: Date | null
  /** When the step ended. */
  leftAt: Date | null
  entered: number
  completed: number
  failed: number
  status: ExecutionStatus
  nextStepId: string | null
  wakeAt: Date | null
  waitsFor: string | null
  /** The claim that stays, where the same worker goes on. */
  claim: string | null
  reason: string | null
  /** When the execution ended. */
  endedAt: Date | null
  /** The moment at which it has now rested; null where it has not: as a place in the log, and as a time. */
  restAt: Date | null
  restPlace: LogPlace | null
}

const slots = 16

/**
 * Stores a visit of a step ($5, a StepMove; $4 now) of an execution ($2) that is still claimed by $3; returns no row, and changes
 * nothing, when it is not. No step ends before it began, whatever the clocks of the machines say. Hand-written: the record, the counts and the move are one round trip. Returns what decides how it goes on.
 */
export const applyMove = statement<{ disabled: boolean; contactDeleted: boolean }>(
  'workflows_apply_move',
  `with held as materialized (
     select x.project_id, x.id, x.workflow_id, x.contact_id from workflow_executions x
     where x.project_id = $1 and x.id = $2 and x.claim = $3 for no key update),
   said as materialized (
     select r.* from json_to_record($5::json) as r("recordId" text, "stepId" text, "stepStatus" workflow_step_status, output jsonb, error text,
       branch text, attempts int, input jsonb, "endsAt" timestamptz, "beganAt" timestamptz, "leftAt" timestamptz, entered int, completed int, failed int,
       status workflow_execution_status, "nextStepId" text, "wakeAt" timestamptz, "waitsFor" text, claim text, reason text, "endedAt" timestamptz, "restAt" timestamptz,
       "restPlace" json)),
   recorded as (
     insert into workflow_step_executions as r (project_id, execution_id, id, step_id, status, input, output, error, branch, attempts, scheduled_for,
       started_at, completed_at)
     select h.project_id, h.id, d."recordId", d."stepId", d."stepStatus", d.input, d.output, d.error, d.branch, d.attempts, d."endsAt", coalesce(d."beganAt", $4), d."leftAt"
     from held h cross join said d where d."recordId" is not null
     on conflict (project_id, execution_id, id) do update set status = excluded.status,
       output = case when excluded.status = 'CANCELLED' then r.output else excluded.output end, error = excluded.error,
       branch = excluded.branch, attempts = excluded.attempts, scheduled_for = excluded.scheduled_for,
       completed_at = case when excluded.completed_at < r.started_at then r.started_at else excluded.completed_at end),
   moved as (
     update workflow_executions x set status = d.status, current_step_id = d."nextStepId", wake_at = d."wakeAt", waits_for = d."waitsFor",
       claim = d.claim, reason = d.reason, completed_at = d."endedAt", updated_at = $4, rest_at = coalesce(d."restAt", x.rest_at),
       came_at = coalesce(d."restAt", d."leftAt", x.came_at),
       rest_epoch = case when d."restAt" is null then x.rest_epoch else (d."restPlace" ->> 'epoch')::smallint end,
       rest_xid = case when d."restAt" is null then x.rest_xid else (d."restPlace" ->> 'xid')::xid8 end,
       rest_id = case when d."restAt" is null then x.rest_id else d."restPlace" ->> 'id' end
     from held h cross join said d where x.project_id = h.project_id and x.id = h.id),
   released as (
     update workflow_entries e set execution_id = null from held h cross join said d
     where d."endedAt" is not null and e.project_id = h.project_id and e.workflow_id = h.workflow_id and e.contact_id = h.contact_id
       and e.execution_id = h.id),
   counted as (
     insert into workflow_step_counts as n (project_id, workflow_id, step_id, slot, entered, completed, failed)
     select h.project_id, h.workflow_id, d."stepId", pg_backend_pid() % ${slots}, d.entered, d.completed, d.failed from held h cross join said d
     where d.entered + d.completed + d.failed > 0
     on conflict (project_id, workflow_id, step_id, slot) do update set entered = n.entered + excluded.entered,
       completed = n.completed + excluded.completed, failed = n.failed + excluded.failed)
   select p.disabled or p.erasing_at is not null as disabled, (c.id is null or c.deleted_at is not null) as "contactDeleted"
   from held h
   left join lateral (select * from projects o where o.id = h.project_id limit 1) p on true
   left join lateral (select * from contacts o where o.project_id = h.project_id and o.id = h.contact_id limit 1) c on true`,
)

/**
 * Makes up to $3 executions due at $1 that do not wait, or that a worker holds, and would be looked at only after $2: later than any lease
 * ends, so that the clock of a machine was ahead. Reads all that waits for a later time.
 */
export const wakeAhead = statement<{ id: string }>(
  'workflows_wake_ahead',
  `with ahead as (
     select x.project_id, x.id from workflow_executions x where x.wake_at > $2 and (x.status = 'RUNNING' or x.claim is not null) limit $3 for no key update skip locked)
   update workflow_executions x set wake_at = $1, claim = null from ahead a where x.project_id = a.project_id and x.id = a.id returning x.id`,
  across,
)

/** Puts an execution ($2) that is claimed by $3 aside until $4. */
export const putBack = statement<object>(
  'workflows_put_back',
  'update workflow_executions set claim = null, wake_at = $4 where project_id = $1 and id = $2 and claim = $3',
)

/** The graph of a version ($3) of a workflow ($2). */
export const selectVersion = statement<{ graph: FrozenGraph }>(
  'workflows_select_version',
  'select graph from workflow_versions where project_id = $1 and workflow_id = $2 and version = $3',
)
