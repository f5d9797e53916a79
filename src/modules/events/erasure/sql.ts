import { hasUnended, jobInsert } from '../../../kit/jobs.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'
import { countedUpTo, handledByAll } from '../reader/sql.ts'
import { eraseEventNameQueue } from '../shapes.ts'
import { forgottenSummaries } from '../summary/sql.ts'

/** Records that the lines of a contact are to be removed; reads hide them by the row of the contact. */
export const insertContactErasure = statement<object>(
  'events_insert_contact_erasure',
  'insert into event_erasures (project_id, id, contact_id, created_at) values ($1, $2, $3, $4)',
)

/** The same for many contacts: $2 ids of erasures, $3 their contacts. */
export const insertContactErasures = statement<object>(
  'events_insert_contact_erasures',
  `insert into event_erasures (project_id, id, contact_id, created_at)
   select $1, x.id, x.contact_id, $4::timestamptz from unnest($2::text[], $3::text[]) as x(id, contact_id)`,
)

/** Hides the lines of a name up to an id and records that they are to be removed, in one row per name; returns its id. */
export const insertNameErasure = statement<{ id: string }>(
  'events_insert_name_erasure',
  `insert into event_erasures as x (project_id, id, name, before, created_at) values ($1, $2, $3, $4, $5)
   on conflict (project_id, name) do update set before = greatest(x.before, excluded.before), created_at = excluded.created_at
   returning id`,
)

/** An erasure that has not ended. */
export interface ErasureRow {
  id: string
  contactId: string | null
  name: string | null
  before: string | null
  createdAt: Date
  /**
   * Every transaction that began before the erasure was visible has ended: no more lines can be added to what it hides. A
   * transaction that has not written yet is recognised only by its snapshot (backend_xmin).
   */
  settled: boolean
}

/** Finds erasures ($2) that have not ended. */
export const findErasures = statement<ErasureRow>(
  'events_find_erasures',
  `select x.id, x.contact_id as "contactId", x.name, x.before, x.created_at as "createdAt", not exists (
     select 1 from pg_stat_activity a where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
       and greatest(age(a.backend_xid), age(a.backend_xmin)) >= age(x.xmin)) as settled
   from event_erasures x where x.project_id = $1 and x.id = any($2::text[])`,
)

/**
 * Ends erasures ($2) and returns their ids, except where lines are left, or names that forgetUnlogged would find, or its name was deleted
 * again in the meantime.
 */
export const endErasures = statement<{ id: string }>(
  'events_end_erasures',
  `with ended as (
     delete from event_erasures x where x.project_id = $1 and x.id = any($2::text[]) and x.before is not distinct from $3
       and not exists (select from events e where e.project_id = $1 and e.contact_id = x.contact_id)
       and not exists (select from unlogged_events u where u.project_id = $1 and u.contact_id = x.contact_id)
       and not exists (select from events e where e.project_id = $1 and e.name = x.name and e.id <= x.before)
     returning x.id
   )
   select id from ended`,
)

/**
 * Removes the lines selected by `chosen` (a list of `from`, which ends with a condition on its alias `e`), unless a reader of the log has
 * not handled them yet, and subtracts them from the counters, which therefore contain them. It locks no reader. The counters are locked in
 * the order in which they are increased, because several removals may decrease the same ones.
 */
const removal = (chosen: string, also = ''): string => `with reader as (
     ${handledByAll}
   ), chosen as materialized (
     select e.project_id, e.id from ${chosen}
   ), gone as (
     delete from events e using chosen c where e.project_id = c.project_id and e.id = c.id
     returning e.project_id, e.name, e.contact_id, e.created_at
   ), taken as (
     select project_id, name, (created_at at time zone 'UTC')::date as day, count(*) as count from gone group by 1, 2, 3
   ), held as (
     select c.project_id, c.name, c.day, t.count from event_counts c
     join taken t on c.project_id = t.project_id and c.name = t.name and c.day = t.day order by 1, 2, 3 for update of c
   ), lowered as (
     update event_counts c set count = greatest(0, c.count - h.count)
     from held h where c.project_id = h.project_id and c.name = h.name and c.day = h.day
   ), total as (
     update event_totals n set count = n.count - t.count
     from (select project_id, sum(count)::int8 as count, (select count(*) from held) as after from taken group by 1) t where n.project_id = t.project_id
   )${also}
   select count(*)::int as count from gone`

const isHandled = '(e.epoch, e.xid, e.id) <= (r.epoch, r.xid, r.id)'
const handled = (condition: string): string => `events e, reader r where e.project_id = $1 and ${isHandled} and ${condition}`

// The lines that are removed have been handled by the reader that summarises, so that nothing is summarised of them any more.
const withSummaries = `, ${forgottenSummaries('gone')}`

/**
 * Removes up to $3 of the newest lines of a contact, in the transaction that deletes it, so that the first pages of the log
 * are not full of hidden lines.
 */
export const removeNewestEventsOfContact = statement<{ count: number }>(
  'events_remove_newest_events_of_contact',
  removal(handled('e.contact_id = $2 order by e.id desc limit $3'), withSummaries),
)

/** The same for many contacts ($2), up to $3 lines of each. */
export const removeNewestEventsOfContacts = statement<{ count: number }>(
  'events_remove_newest_events_of_contacts',
  removal(
    `(select $1::text as project_id, u.contact_id from unnest($2::text[]) as u(contact_id) offset 0) x
     cross join lateral (
       select v.project_id, v.epoch, v.xid, v.id from events v
       where v.project_id = x.project_id and v.contact_id = x.contact_id order by v.id desc limit $3) e, reader r
     where ${isHandled}`,
    withSummaries,
  ),
)

/** Removes one batch ($4) of a name's lines up to an id, oldest first. */
export const removeEventsOfName = statement<{ count: number }>(
  'events_remove_events_of_name',
  removal(handled('e.name = $2 and e.id <= $3 order by e.id limit $4')),
)

/**
 * Removes one batch ($2) of a project's log lines, also those that readers have not handled, and takes from the total those that
 * it has counted; returns how many, 0 when none is left. The reader that counts must not move meanwhile.
 */
export const removeSomeLines = batchStatement<{ count: number }>(
  'events_remove_some_lines',
  `with counted as materialized (${countedUpTo}),
   chosen as materialized (select e.id from events e where e.project_id = $1 order by e.id limit $2),
   gone as (delete from events where project_id = $1 and id = any(array(select id from chosen)) returning epoch, xid, id),
   total as (
     update event_totals n set count = n.count - (select count(*) from gone g, counted p where (g.epoch, g.xid, g.id) <= (p.epoch, p.xid, p.id))
     where n.project_id = $1)
   select count(*)::int as count from chosen`,
)

/** Removes the counters and pending erasures of a project; returns how many counters. */
export const removeCounts = statement<{ count: number }>(
  'events_remove_counts',
  `with gone as (delete from event_counts where project_id = $1 returning name),
   total as (delete from event_totals where project_id = $1),
   ended as (delete from event_erasures where project_id = $1)
   select count(*)::int as count from gone`,
)

/**
 * Queues the erasures of deleted names again that have waited since $1 and of which no job waits or runs, $2 at most; returns how many.
 * Hand-written because it looks at jobs and queues others in one statement.
 */
export const requeueNameErasures = statement<{ count: number }>(
  'events_requeue_name_erasures',
  `with lost as (
     select jsonb_build_object('projectId', x.project_id, 'erasureId', x.id) as payload from event_erasures x
     where x.name is not null and x.created_at < $1 and not ${hasUnended(eraseEventNameQueue, 'erasureId', 'x.id')}
     limit $2),
   job as (${jobInsert(eraseEventNameQueue, 'lost')})
   select count(*)::int as count from lost`,
  { allProjects: 'one scheduled job finds the lost erasures of all projects' },
)
