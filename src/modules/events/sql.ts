import type { Count } from '../../kit/counts.ts'
import { statement } from '../../kit/postgres/db.ts'
import type { Conditions, ListSql } from '../../kit/postgres/list.ts'
import { countedUpTo, handledByAll } from './reader/sql.ts'
import { forgottenSummaries } from './summary/sql.ts'

/** Appends lines of one project to the log. Hand-written: Prisma cannot write xid, and it runs in the caller's transaction. */
export const appendLines = statement<object>(
  'events_append_lines',
  `insert into events (project_id, id, name, contact_id, email_id, data, created_at)
   select $1, l.id, l.name, l.contact_id, l.email_id, l.data, $7::timestamptz
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) as l(id, name, contact_id, email_id, data)`,
)

/** Whether the log has lines of a project that cannot be read yet, because a transaction that began before them has not ended. */
export const findUnsettled = statement<object>(
  'events_find_unsettled',
  'select 1 from events where project_id = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
)

/** A line of the log as it is read. */
export interface EventRow {
  id: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/**
 * Whether a line is hidden, although not removed yet: its contact is deleted, or all lines with its name up to this one.
 * Each condition is one lookup in an index that holds only pending erasures. Postgres never plans a scalar subquery as a
 * join, so that a page costs the same however much is being removed.
 */
const hidden = `((select true from contacts d where d.project_id = $1 and d.id = v."contactId" and d.deleted_at is not null) is true
  or coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = v.name) >= v.id, false))`

/** The opposite, for statements that read many lines, where a join is the better plan: the visible rows of the alias `v`. */
const shown = `not exists (select 1 from contacts d where d.project_id = $1 and d.id = v."contactId" and d.deleted_at is not null)
  and not exists (select 1 from event_erasures x where x.project_id = $1 and x.name is not null and x.name = v.name and x.before >= v.id)`

/** A contact and a period of time; each end of the period comes with the id that bounds it, so that the range is read from the index. */
export interface LineBounds {
  contactId?: string | undefined
  from?: Date | undefined
  fromId?: string | undefined
  to?: Date | undefined
  toId?: string | undefined
}

// Hides from the planner that a condition on the time selects few lines: it takes time and id for independent, would
// expect a handful of lines, and would read and sort the whole range.
const moment = (condition: string): string => `coalesce(l.created_at ${condition}, false)`

/** The conditions of LineBounds on the alias `l`. Whether the contact is deleted is looked up once, not for each line. */
export const boundConditions: Conditions<LineBounds> = [
  [
    'contactId',
    (at) => `l.contact_id = ${at}
      and (select true from contacts d where d.project_id = $1 and d.id = ${at} and d.deleted_at is not null) is not true`,
  ],
  ['fromId', (at) => `l.id >= ${at}`],
  ['from', (at) => moment(`>= ${at}`)],
  ['toId', (at) => `l.id < ${at}`],
  ['to', (at) => moment(`< ${at}`)],
]

/** The list of the lines of a project. */
export const eventListSql: ListSql<LineBounds & { name?: string | undefined }> = {
  name: 'events',
  table: 'events',
  columns: 'l.id, l.name, l.contact_id as "contactId", l.email_id as "emailId", l.data, l.created_at as "createdAt"',
  conditions: [
    ...boundConditions,
    [
      'name',
      (at) => `l.name = ${at} and l.id > coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = ${at}), '')`,
    ],
  ],
  hidden,
  shown,
  long: 'v.data',
}

/** Which of some event names ($1 projects, $2 names, in pairs) are being erased, and up to which line. */
export const findNameErasures = statement<{ projectId: string; name: string; before: string }>(
  'events_find_name_erasures',
  `select x.project_id as "projectId", x.name, x.before from event_erasures x
   where (x.project_id, x.name) in (select * from unnest($1::text[], $2::text[]))`,
)

/** The number of lines of each of some contacts ($2), counted up to 100,000. */
export const countEventsOfContacts = statement<Count>(
  'events_count_events_of_contacts',
  `select q.id, (select count(*)::int from (
      select 1 from (select l.id, l.name from events l where l.project_id = q.project_id and l.contact_id = q.id limit 200000) v
      where not exists (select 1 from event_erasures x where x.project_id = $1 and x.name = v.name and x.before >= v.id)
      limit 100000) bounded) as count
   from (select $1::text as project_id, u.id from unnest($2::text[]) as u(id) offset 0) q`,
)

/** A line of the log about an email. */
export type EmailEvent = EventRow & { projectId: string; epoch: number }

/** Maximum number of lines returned for one email. */
const maxOfEmail = 100

// Lines of one email that are of the names, oldest first.
const someOfEmail = (rank: number, names: string) => `(
       select ${rank} as rank, e.project_id as "projectId", e.id, e.epoch, e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data, e.created_at as "createdAt"
       from events e where e.project_id = q.project_id and e.contact_id = q.contact_id and e.email_id = q.email_id and e.id >= q.from_id and e.name ${names}
       order by e.id limit ${maxOfEmail})`

/**
 * The lines about some emails ($1 projects, $2 contacts, $3 emails, $4 the lowest event id to look at), oldest first: opens and clicks,
 * of which there may be any number, are what is left out. It needs no index by email, because few lines of the contact are newer than
 * the email. It needs no check for deletions either: these names cannot be deleted, and the emails of a deleted contact are hidden.
 */
export const readEventsOfEmails = statement<EmailEvent & { ord: number }>(
  'events_read_events_of_emails',
  `select q.ord::int as ord, e."projectId", e.id, e.epoch, e.name, e."contactId", e."emailId", e.data, e."createdAt"
   from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality q(project_id, contact_id, email_id, from_id, ord)
   cross join lateral (
     select * from (${someOfEmail(1, "not in ('email.open', 'email.click')")} union all ${someOfEmail(2, "in ('email.open', 'email.click')")}) ranked
     order by ranked.rank, ranked.id limit ${maxOfEmail}) e order by q.ord, e.id`,
)

/** One row if the contact exists and is not deleted. */
export const findVisibleContact = statement<object>(
  'events_find_visible_contact',
  'select 1 from contacts where project_id = $1 and id = $2 and deleted_at is null',
)

/**
 * The newest id of a name and the number of visible lines up to it: those that are erased when the name is deleted. Where
 * retention has removed all lines, but what they were counted or summarised to is left, it is the id $3.
 */
export const findNewestOfName = statement<{ id: string | null; count: number }>(
  'events_find_newest_of_name',
  `select coalesce(max(l.id), (select $3 where exists (select from contact_events s where s.project_id = $1 and s.name = $2)
       or exists (select from event_counts c where c.project_id = $1 and c.name = $2 and c.count > 0))) as id, count(*)::int as count
   from events l where l.project_id = $1 and l.name = $2
     and l.id > coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = $2), '')
     and not exists (select 1 from contacts d where d.project_id = $1 and d.id = l.contact_id and d.deleted_at is not null)`,
)

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
 * Removes the lines selected by `chosen` (a list of `from`, which ends with a condition on its alias `e`), unless a reader of the log has not handled them yet, and
 * subtracts them from the counters, which therefore contain them. It locks no reader. The counters are locked in the order
 * in which they are increased, because several removals may decrease the same ones.
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
export const removeSomeLines = statement<{ count: number }>(
  'events_remove_some_lines',
  `with counted as materialized (${countedUpTo}),
   gone as (
     delete from events where (project_id, id) in (select e.project_id, e.id from events e where e.project_id = $1 order by e.id limit $2)
     returning epoch, xid, id),
   total as (
     update event_totals n set count = n.count - (select count(*) from gone g, counted p where (g.epoch, g.xid, g.id) <= (p.epoch, p.xid, p.id))
     where n.project_id = $1)
   select count(*)::int as count from gone`,
)

/** Removes the counters and pending erasures of a project; returns how many counters. */
export const removeCounts = statement<{ count: number }>(
  'events_remove_counts',
  `with gone as (delete from event_counts where project_id = $1 returning name),
   total as (delete from event_totals where project_id = $1),
   ended as (delete from event_erasures where project_id = $1)
   select count(*)::int as count from gone`,
)
