import { statement } from '../../../kit/postgres/db.ts'
import { eraser } from '../../../kit/postgres/erase.ts'
import { turnsOwnerOf } from '../../projects/owner.ts'
import { namesOfExecutions } from '../executions/log.ts'
import { maxWorkflows } from '../shapes.ts'
import { comesAfterRest, isStartedBy } from '../sql.ts'
import { decidedAfterMs } from '../steps/wait-for-event.ts'

const across = { allProjects: 'one worker handles the lines of all projects' }

/** A project with lines that wait to be handled. */
export interface DueProject {
  projectId: string
  /** The account that owns it, or the project itself: owners take turns. */
  owner: string
}

/** The next $2 projects after $1 that have lines which wait: one lookup each. */
export const findDueProjects = statement<DueProject>(
  'workflows_find_due_projects',
  `with recursive turn as (
     (select l.project_id, 1 as nth from workflow_lines l where l.project_id > $1 order by l.project_id limit 1)
     union all
     select n.project_id, t.nth + 1 from turn t cross join lateral (
       select l.project_id from workflow_lines l where l.project_id > t.project_id order by l.project_id limit 1) n
     where t.nth < $2)
   select t.project_id as "projectId", ${turnsOwnerOf('t.project_id')} as owner from turn t`,
  across,
)

/** Projects of which lines are to be noted later and none wait now. */
export const findEmptyBacklogs = statement<DueProject>(
  'workflows_find_empty_backlogs',
  `select b.project_id as "projectId", ${turnsOwnerOf('b.project_id')} as owner from workflow_backlogs b
   where not exists (select from workflow_lines l where l.project_id = b.project_id) limit $1`,
  across,
)

/** Whether this transaction handles the lines of a project ($1): no other one does until it ends. */
export const lockLines = statement<{ locked: boolean }>(
  'workflows_lock_lines',
  `select pg_try_advisory_xact_lock(hashtext('postwire workflow lines'), hashtext($1)) as locked`,
  { allProjects: 'it reads no table' },
)

/** A line that waits to be handled. */
export interface WaitingLine {
  place: string
  /** The event. */
  id: string
  contactId: string
  /** How many bytes its data has. */
  bytes: number
  /** How many executions it starts, ends and wakes at most. */
  weight: number
}

/** The next $2 lines of a project, in the order of the log. What was removed from the log meanwhile weighs nothing, and does nothing. */
export const selectLines = statement<WaitingLine>(
  'workflows_select_lines',
  `with lines as materialized (
     select n.place, n.id, n.contact_id, e.name, coalesce(pg_column_size(e.data), 0) as bytes
     from (select l.project_id, l.place, l.id, l.contact_id from workflow_lines l where l.project_id = $1 order by l.place limit $2) n
     left join lateral (select o.name, o.data from events o where o.project_id = n.project_id and o.id = n.id limit 1) e on true),
   names as materialized (
     select n.name,
       (select count(*) from workflows w where w.project_id = $1 and ${isStartedBy('n.name')})
       + (select count(*) from workflows w where w.project_id = $1 and w.exit_events <> '{}' and n.name = any(w.exit_events)) as weight
     from (select distinct name from lines) n)
   select l.place::text as place, l.id, l.contact_id as "contactId", l.bytes, coalesce(n.weight, 0)::int + (
     select count(*)::int from workflow_executions x where x.project_id = $1 and x.waits_for = l.name and x.contact_id = l.contact_id) as weight
   from lines l left join names n on n.name = l.name order by l.place`,
)

/** Removes lines ($2 places) of a project that were handled. */
export const removeLines = statement<object>(
  'workflows_remove_lines',
  'delete from workflow_lines where project_id = $1 and place = any($2::bigint[])',
)

// Some lines ($2, the events).
const lines = (columns: string) => `lines as materialized (
     select e.project_id, ${columns} from (select $1::text as project_id, u.id from unnest($2::text[]) as u(id) offset 0) q
     cross join lateral (select * from events o where o.project_id = q.project_id and o.id = q.id limit 1) e
     where e.contact_id is not null)`

const triggered = (line: string) => `select w.id from workflows w
       where w.project_id = $1 and ${isStartedBy(`${line}.name`)}`

// An event that ends the wait of an execution x at its record s, and comes before a line l. The execution looks for it again at a moment
// other than that of its timeout. The ids of events after its start, without the lower bits of their times, are not below its own.
const takesBefore = (line: string) => `x.waits_for is not null
       and x.wake_at is distinct from s.scheduled_for + interval '${decidedAfterMs} ms' and exists (
         select from events e
         where e.project_id = x.project_id and e.contact_id = x.contact_id and e.name = x.waits_for
           and e.id >= 'evt_' || substr(coalesce(x.started_by, x.id), 5, 5) and ${comesAfterRest('s.started_at')}
           and (s.scheduled_for is null or e.created_at <= s.scheduled_for) and (e.epoch, e.xid, e.id) < (${line}.epoch, ${line}.xid, ${line}.id))`

/**
 * The executions which some lines ($2, at most one per contact) would start again as soon as they end, and which were on their way when
 * that happened: through their steps, or from a rest that was over, by an event before the line, or by a delay or timeout. Whether the
 * line starts one must not depend on how fast a worker is.
 */
export const findMoving = statement<{ contactId: string; executionId: string }>(
  'workflows_find_moving',
  `with ${lines('e.id, e.epoch, e.xid, e.name, e.contact_id, e.created_at')}
   select l.contact_id as "contactId", x.id as "executionId" from lines l
   cross join lateral (${triggered('l')} and w.allow_reentry limit ${maxWorkflows}) w
   cross join lateral (
     select n.project_id, n.execution_id from workflow_entries n
     where n.project_id = l.project_id and n.workflow_id = w.id and n.contact_id = l.contact_id limit 1) n
   cross join lateral (
     select * from workflow_executions o where o.project_id = n.project_id and o.id = n.execution_id limit 1) x
   left join lateral (
     select * from workflow_step_executions o
     where o.project_id = x.project_id and o.execution_id = x.id and o.step_id = x.current_step_id and o.status = 'WAITING' limit 1) s
     on x.status = 'WAITING'
   where x.status = 'RUNNING' and x.wake_at is not null
     or s.scheduled_for < l.created_at
     or x.waits_for is null and coalesce(s.output ? 'eventId', false)
     or ${takesBefore('l')}`,
)

// Lines that an execution has caused say how many led to it: those that it wrote itself, and those about its emails. In other lines the
// data is that of the caller.
const names = namesOfExecutions.map((name) => `'${name}'`).join(', ')
const depth = `case when e.name in (${names}) and jsonb_typeof(e.data -> 'depth') = 'number' then (e.data ->> 'depth')::int
     else coalesce((select x.depth + 1 from (select * from emails o where o.project_id = e.project_id and o.id = e.email_id limit 1) m
       cross join lateral (select * from workflow_executions o where o.project_id = m.project_id and o.id = m.execution_id limit 1) x), 0) end`

/** A contact that an event leads into a workflow. */
export interface Triggered {
  workflowId: string
  contactId: string
  startedBy: string
  depth: number
}

/**
 * What some lines ($2, at most one per contact) start. The workflows are locked against changes and deletion, the contacts against
 * deletion. What happened before a workflow was enabled does not start it, however late that is handled. Nothing starts in a project that is suspended or being emptied. The version that executions start on is read by a statement
 * of its own (`selectToStart`): this one may have waited for a change, and would not see the version that it has made.
 */
export const findTriggered = statement<Triggered>(
  'workflows_find_triggered',
  `with ${lines(`e.id, e.name, e.contact_id, e.epoch, e.xid, ${depth} as depth`)},
   starts as materialized (
     select e.project_id, w.id as workflow_id, e.id, e.name, e.contact_id, e.epoch, e.xid, e.depth from lines e cross join lateral (${triggered('e')} limit ${maxWorkflows}) w)
   select w.id as "workflowId", l.contact_id as "contactId", l.id as "startedBy", l.depth
   from starts l
   cross join lateral (select * from workflows o where o.project_id = l.project_id and o.id = l.workflow_id for share) w
   join contacts c on c.project_id = l.project_id and c.id = l.contact_id and coalesce(c.deleted_at is null, false)
   join projects p on p.id = $1 and not p.disabled and p.erasing_at is null
   where ${isStartedBy('l.name')} and (w.starts_xid is null or (l.epoch, l.xid) > (w.starts_epoch, w.starts_xid))
   order by 1, 2
   for key share of c`,
)

/** The executions that some lines ($2) end: those that had started before the line, in the order of the log. */
export const findExits = statement<{ id: string; name: string }>(
  'workflows_find_exits',
  `with ${lines('e.epoch, e.xid, e.id, e.name, e.contact_id, e.created_at')},
   exits as materialized (
     select p.name, w.id from (select distinct name from lines) p
     cross join lateral (
       select w.id from workflows w where w.project_id = $1 and w.exit_events <> '{}' and p.name = any(w.exit_events)
       limit ${maxWorkflows}) w)
   select x.id, e.name from lines e join exits w on w.name = e.name
   cross join lateral (
     select n.project_id, n.execution_id from workflow_entries n
     where n.project_id = e.project_id and n.workflow_id = w.id and n.contact_id = e.contact_id and n.execution_id is not null limit 1) n
   cross join lateral (
     select x.id, x.started_by, x.started_at, x.start_epoch, x.start_xid from workflow_executions x
     where x.project_id = n.project_id and x.id = n.execution_id limit 1) x
   where case when x.started_by is not null then e.id <> x.started_by when x.start_xid is null then e.created_at >= x.started_at
     else (e.epoch, e.xid) > (x.start_epoch, x.start_xid) end
   order by x.id`,
)

/**
 * Wakes the executions that wait for one of some lines ($2, at most one per contact; $3 now): the line is stored with the step, so that
 * a timeout which comes at the same moment finds that the wait is over. Returns how many.
 */
export const wakeWaiting = statement<{ count: number }>(
  'workflows_wake_waiting',
  `with ${lines('e.id, e.name, e.contact_id, e.created_at, e.epoch, e.xid')},
   found as materialized (
     select x.project_id, x.id, s.id as record_id, e.id as event_id from lines e
     cross join lateral (
       select x.project_id, x.id, x.current_step_id, x.started_by, x.rest_at, x.rest_epoch, x.rest_xid, x.rest_id from workflow_executions x
       where x.project_id = e.project_id and x.waits_for = e.name and x.contact_id = e.contact_id limit ${maxWorkflows}) x
     cross join lateral (
       select s.id, s.started_at, s.scheduled_for from workflow_step_executions s
       where s.project_id = x.project_id and s.execution_id = x.id and s.step_id = x.current_step_id and s.status = 'WAITING' limit 1) s
     where ${comesAfterRest('s.started_at')} and (s.scheduled_for is null or e.created_at <= s.scheduled_for)
     order by x.id),
   woken as (
     update workflow_executions x set waits_for = null, wake_at = $3, claim = null from found f
     where x.project_id = f.project_id and x.id = f.id and x.waits_for is not null
     returning x.project_id, x.id, f.record_id, f.event_id),
   marked as (
     update workflow_step_executions s set output = jsonb_build_object('eventId', w.event_id) from woken w
     where s.project_id = w.project_id and s.execution_id = w.id and s.id = w.record_id)
   select count(*)::int as count from woken`,
)

/** Removes one batch of the lines of a project that wait to be handled; returns how many, 0 when none is left. */
export const eraseSomeLines = eraser('workflow_lines', 'place', 5_000)

/** Removes the position behind which lines of a project are to be noted; returns how many. */
export const eraseBacklog = eraser('workflow_backlogs', 'project_id', 1)
