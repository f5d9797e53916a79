import { statement } from '../../../kit/postgres/db.ts'
import { inRange } from '../../events/reader/sql.ts'
import { maxWorkflows } from '../shapes.ts'

const wholeLog = { allProjects: 'a reader of the log handles lines of every project; they are joined by their project_id' }

// Lines that an execution has caused say how many led to it: those that it wrote itself, and those about its emails. In other lines the
// data is that of the caller.
const names = ['contact.subscribed', 'contact.unsubscribed', 'workflow.started', 'workflow.completed', 'workflow.email.scheduled']
  .map((name) => `'${name}'`)
  .join(', ')
const depth = `case when e.name in (${names}) and jsonb_typeof(e.data -> 'depth') = 'number' then (e.data ->> 'depth')::int
     else coalesce((select x.depth + 1 from emails m join workflow_executions x on x.project_id = m.project_id and x.id = m.execution_id
       where m.project_id = e.project_id and m.id = e.email_id), 0) end`

/** A name of events, and what lines of that name may do. */
export interface ConcernedName {
  name: string
  starts: boolean
  ends: boolean
  wakes: boolean
}

const hasWorkflow = `select true as found from workflows w where w.project_id = n.project_id`

/**
 * The names of the lines of a range ($1 to $5) that some workflow asks for: a few lookups per name and project, however many lines and
 * workflows there are. It is one statement more for batches that concern a workflow, and all that others cost.
 */
export const findConcernedNames = statement<ConcernedName>(
  'workflows_find_concerned_names',
  `with names as materialized (
     select e.project_id, e.name from events e where ${inRange('e')} and e.contact_id is not null group by e.project_id, e.name)
   select n.name, bool_or(t.found is true) as starts, bool_or(x.found is true) as ends, bool_or(s.found is true) as wakes
   from names n
   left join lateral (${hasWorkflow} and w.event_name = n.name and w.enabled and w.trigger_type = 'EVENT' limit 1) t on true
   left join lateral (${hasWorkflow} and w.exit_events <> '{}' and n.name = any(w.exit_events) limit 1) x on true
   left join lateral (
     select true as found from workflow_executions o where o.project_id = n.project_id and o.waits_for = n.name limit 1) s on true
   where t.found or x.found or s.found group by n.name`,
  wholeLog,
)

/**
 * How many executions the lines of a range ($1 to $5) may start and end at most, lines times workflows, as if each were about another
 * contact: few lookups per name and project. And how many wait for one of them: a lookup per line with a name that one waits for.
 */
export const countAtMost = statement<{ count: number }>(
  'workflows_count_at_most',
  `with names as materialized (
     select e.project_id, e.name, count(*) as lines from events e where ${inRange('e')} and e.contact_id is not null
     group by e.project_id, e.name),
   awaited as materialized (
     select n.project_id, n.name from names n
     where exists (select from workflow_executions o where o.project_id = n.project_id and o.waits_for = n.name))
   select coalesce(sum(n.lines * (t.count + x.count)), 0)::float8 + (
     select count(*) from awaited a join events e on e.project_id = a.project_id and e.name = a.name and e.contact_id is not null
     cross join lateral (
       select 1 from workflow_executions o where o.project_id = e.project_id and o.waits_for = e.name and o.contact_id = e.contact_id
       limit ${maxWorkflows}) o
     where ${inRange('e')})::float8 as count
   from names n
   cross join lateral (
     select count(*) from workflows w
     where w.project_id = n.project_id and w.event_name = n.name and w.enabled and w.trigger_type = 'EVENT') t
   cross join lateral (
     select count(*) from workflows w where w.project_id = n.project_id and w.exit_events <> '{}' and n.name = any(w.exit_events)) x`,
  wholeLog,
)

/**
 * Lets the next statements of the transaction ($1 `off`) look rows up in indexes, whatever the statistics say, or ($1 `on`) plan
 * freely again: a plan made while there were few contacts and executions would be used again for many.
 */
export const planFreely = statement<object>(
  'workflows_plan_freely',
  `select set_config('enable_seqscan', $1, true), set_config('enable_hashjoin', $1, true), set_config('enable_mergejoin', $1, true)`,
  { allProjects: 'it reads no table' },
)

// Of a range, the lines that have one of some names ($6) and are about a contact. Not joined with anything, so that they are found by
// the range.
const named = (columns: string) =>
  `(select ${columns} from events e where ${inRange('e')} and e.contact_id is not null and e.name = any($6::text[]) offset 0)`

/** A contact that an event leads into a workflow. */
export interface Triggered {
  projectId: string
  workflowId: string
  name: string
  contactId: string
  startedBy: string
  version: number
  stepId: string | null
  depth: number
}

/**
 * What the lines of a range ($1 to $5) with some names ($6) start: the first one of each contact and workflow. The workflows are locked
 * against changes and deletion, the contacts against deletion. Nothing starts in a project that is suspended or being emptied.
 */
export const findTriggered = statement<Triggered>(
  'workflows_find_triggered',
  `with lines as materialized (
     select distinct on (e.project_id, w.id, e.contact_id) e.project_id, w.id as workflow_id, e.contact_id, e.id, ${depth} as depth
     from ${named('e.project_id, e.name, e.contact_id, e.email_id, e.data, e.xid, e.id')} e
     cross join lateral (
       select w.id from workflows w where w.project_id = e.project_id and w.event_name = e.name and w.enabled and w.trigger_type = 'EVENT'
       limit ${maxWorkflows}) w
     order by e.project_id, w.id, e.contact_id, e.xid, e.id)
   select w.project_id as "projectId", w.id as "workflowId", w.name, l.contact_id as "contactId", l.id as "startedBy", w.version,
     v.graph ->> 'entry' as "stepId", l.depth
   from lines l
   join workflows w on w.project_id = l.project_id and w.id = l.workflow_id and w.enabled
   join contacts c on c.project_id = l.project_id and c.id = l.contact_id and c.deleted_at is null
   join projects p on p.id = l.project_id and not p.disabled and p.erasing_at is null
   left join workflow_versions v on v.project_id = w.project_id and v.workflow_id = w.id and v.version = w.version
   order by 1, 2, 4
   for share of w for key share of c`,
  wholeLog,
)

/** The executions that the lines of a range ($1 to $5) with some names ($6) end: those that had started before the line. */
export const findExits = statement<{ projectId: string; id: string; name: string }>(
  'workflows_find_exits',
  `with lines as materialized ${named('e.project_id, e.name, e.contact_id, e.created_at, e.xid, e.id')},
   exits as materialized (
     select p.project_id, p.name, w.id from (select distinct project_id, name from lines) p
     cross join lateral (
       select w.id from workflows w where w.project_id = p.project_id and w.exit_events <> '{}' and p.name = any(w.exit_events)
       limit ${maxWorkflows}) w)
   select distinct on (x.project_id, x.id) x.project_id as "projectId", x.id, e.name
   from lines e join exits w on w.project_id = e.project_id and w.name = e.name
   cross join lateral (
     select n.execution_id from workflow_entries n
     where n.project_id = e.project_id and n.workflow_id = w.id and n.contact_id = e.contact_id and n.execution_id is not null limit 1) n
   cross join lateral (
     select x.project_id, x.id, x.started_by, x.started_at from workflow_executions x
     where x.project_id = e.project_id and x.id = n.execution_id limit 1) x
   where e.id is distinct from x.started_by
     and case when x.started_by is null then e.created_at >= x.started_at else e.id > x.started_by end
   order by x.project_id, x.id, e.xid, e.id`,
  wholeLog,
)

/**
 * Wakes the executions that wait for one of the lines of a range ($1 to $5; $7 now) with some names ($6): the line is stored with the
 * step, so that a timeout which comes at the same moment finds that the wait is over. Returns the projects.
 */
export const wakeWaiting = statement<{ projectId: string }>(
  'workflows_wake_waiting',
  `with found as materialized (
     select distinct on (e.project_id, x.id) e.project_id, x.id, s.id as record_id, e.id as event_id
     from ${named('e.project_id, e.name, e.contact_id, e.created_at, e.xid, e.id')} e
     cross join lateral (
       select x.id, x.current_step_id, x.started_by from workflow_executions x
       where x.project_id = e.project_id and x.waits_for = e.name and x.contact_id = e.contact_id limit ${maxWorkflows}) x
     cross join lateral (
       select s.id, s.started_at, s.scheduled_for from workflow_step_executions s
       where s.project_id = e.project_id and s.execution_id = x.id and s.step_id = x.current_step_id and s.status = 'WAITING' limit 1) s
     where e.created_at >= s.started_at and (s.scheduled_for is null or e.created_at <= s.scheduled_for)
       and e.id is distinct from x.started_by
     order by e.project_id, x.id, e.xid, e.id),
   woken as (
     update workflow_executions x set waits_for = null, wake_at = $7, claim = null from found f
     where x.project_id = f.project_id and x.id = f.id and x.waits_for is not null
     returning x.project_id, x.id, f.record_id, f.event_id),
   marked as (
     update workflow_step_executions s set output = jsonb_build_object('eventId', w.event_id) from woken w
     where s.project_id = w.project_id and s.execution_id = w.id and s.id = w.record_id)
   select distinct project_id as "projectId" from woken`,
  wholeLog,
)
