import { statement } from '../../../kit/postgres/db.ts'
import { comesAfterRest } from '../sql.ts'
import { notedUpTo } from '../triggers/sql.ts'

/** Leaves a webhook that an execution ($2) has to call, due at once; $3 is how far a test has turned the clock, in ms. */
export const insertCall = statement<object>(
  'workflows_insert_call',
  `insert into workflow_calls (project_id, execution_id, due_at)
   values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms')`,
)

/** An event that ends a wait. */
export interface AwaitedEvent {
  id: string
  epoch: number
  xid: string
  createdAt: Date
  data: unknown
}

const awaited = (data: string) => `e.id, e.epoch, e.xid::text as xid, e.created_at as "createdAt", ${data} as data`

// The first line of the contact of an execution x that waits to be handled, as the log has it: what was removed from there does nothing.
const firstLine = `select o.epoch, o.xid, o.id, o.created_at from workflow_lines l
     cross join lateral (select * from events q where q.project_id = l.project_id and q.id = l.id limit 1) o
     where l.project_id = $1 and l.contact_id = x.contact_id order by l.place limit 1`

// Whether events of the contact of an execution x, whose first line is f, have not been handled up to a moment: lines that wait, unless the
// first of them is behind it, and what the reader of the log has not noted, as far as it may start or end executions of the workflow. No
// id of these is below `lowest`.
const behind = (moment: string, lowest: string) => `coalesce(f.created_at <= ${moment}, false) or exists (
       select from (select * from workflows o where o.project_id = $1 and o.id = x.workflow_id limit 1) w
       cross join lateral (
         select u.epoch, u.xid, u.id from events u
         where u.project_id = $1 and u.contact_id = x.contact_id and u.id >= ${lowest} and u.created_at <= ${moment}
           and (u.name = w.event_name or u.name = any(w.exit_events)) offset 0) u
       join (${notedUpTo('$1')}) n on (u.epoch, u.xid, u.id) > (n.epoch, n.xid, n.id))`

/** What a wait finds: an event, or none; then `behind` is null where that was not asked. */
export type WaitFound = (AwaitedEvent & { inTurn: boolean }) | { id: null; behind: boolean | null }

/**
 * The first event of the contact of an execution ($2) with a name ($3) that comes after the moment at which the execution last rested,
 * up to a time ($6, null for no end). No id of such an event is below $4; $5 is the beginning of the wait. `inTurn`: what happened to the
 * contact before it was handled, and itself; only then it has its data. Where the contact has come to a line behind that time,
 * everything up to it was handled that has not come into the log too late. Without an event, and where that time is over ($7), `behind`
 * says whether events of the contact up to it were not handled yet; no id of these is below $8.
 */
export const findAwaitedEvent = statement<WaitFound>(
  'workflows_find_awaited_event',
  `select ${awaited('case when t.yes then e.data end')}, t.yes as "inTurn",
     case when e.id is null and $7::boolean then ${behind('$6::timestamptz', '$8')} end as behind
   from workflow_executions x
   left join lateral (
     select e.* from events e
     where e.project_id = $1 and e.contact_id = x.contact_id and e.name = $3 and e.id >= $4 and ${comesAfterRest('$5::timestamptz')}
       and ($6::timestamptz is null or e.created_at <= $6)
     order by e.epoch, e.xid, e.id limit 1) e on true
   left join lateral (${firstLine}) f on e.id is not null or $7
   left join lateral (
     select not exists (select from (${notedUpTo('$1')}) n where (e.epoch, e.xid, e.id) > (n.epoch, n.xid, n.id))
       and (f.id is null or coalesce(f.created_at > $6::timestamptz, false) or (f.epoch, f.xid, f.id) > (e.epoch, e.xid, e.id)) as yes
     offset 0) t on e.id is not null
   where x.project_id = $1 and x.id = $2`,
)

/** An event ($2) that has ended a wait. */
export const selectAwaitedEvent = statement<AwaitedEvent>(
  'workflows_select_awaited_event',
  `select ${awaited('e.data')} from events e where e.project_id = $1 and e.id = $2`,
)

/** Whether events of the contact of an execution ($2) up to a moment ($3) have not been handled yet; no id of these is below $4. */
export const isBehind = statement<{ behind: boolean }>(
  'workflows_is_behind',
  `select ${behind('$3', '$4')} as behind from workflow_executions x left join lateral (${firstLine}) f on true
   where x.project_id = $1 and x.id = $2`,
)
