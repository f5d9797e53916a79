import { type Statement, statement } from '../../kit/postgres/db.ts'
import { inRange, presentEpoch } from './reader/sql.ts'

/** Lines of one project into the log. Hand-written: xid is not Prisma's to write, and it runs in the caller's transaction. */
export const appendLines = statement<object>(
  'events_append',
  `insert into events (project_id, id, name, contact_id, email_id, data, created_at)
   select $1, l.id, l.name, l.contact_id, l.email_id, l.data, $7::timestamptz
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[]) as l(id, name, contact_id, email_id, data)`,
)

/** A line as it is read. */
export interface EventRow {
  id: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** Lines that are erased are gone from reads at once, before they are removed (decisions.md 6). */
export const notErased = `not exists (
  select 1 from event_erasures x
  where x.project_id = e.project_id and (x.contact_id = e.contact_id or (x.name = e.name and e.id <= x.before)))`

/** How many lines contacts have, up to 100,000 each ($1 projects, $2 contacts). Hand-written: Prisma counts one contact at a time. */
export const countOfContacts = statement<{ count: number }>(
  'events_count_of_contacts',
  `select (select count(*)::int from (
      select 1 from events e where e.project_id = q.project_id and e.contact_id = q.contact_id and ${notErased} limit 100000) bounded) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, contact_id, ord) order by q.ord`,
)

/** What lines are looked for. */
export interface LineFilter {
  name?: string | undefined
  contactId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const conditions: [keyof LineFilter, (at: string) => string][] = [
  ['name', (at) => `e.name = ${at}`],
  ['contactId', (at) => `e.contact_id = ${at}`],
  ['from', (at) => `e.created_at >= ${at}`],
  ['to', (at) => `e.created_at < ${at}`],
]

// Only the conditions that are asked for stand in the text, so that each combination has the plan of its own index.
function filtered(filter: LineFilter, first: number): { key: string; where: string; values: unknown[] } {
  const asked = conditions.filter(([field]) => filter[field] !== undefined)
  return {
    key: asked.map(([field]) => field).join('_'),
    where: asked.map(([, condition], at) => ` and ${condition(`$${first + at}`)}`).join(''),
    values: asked.map(([field]) => filter[field]),
  }
}

/** Newest lines first, below an id. */
export function listLines(projectId: string, filter: LineFilter, below: string, limit: number): [Statement<EventRow>, unknown[]] {
  const { key, where, values } = filtered(filter, 4)
  const text = `select e.id, e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data, e.created_at as "createdAt"
    from events e where e.project_id = $1 and e.id < $2${where} and ${notErased} order by e.id desc limit $3`
  return [statement(`events_list_${key}`, text), [projectId, below, limit, ...values]]
}

/** How many lines that is, counted up to 100,000. */
export function countLines(projectId: string, filter: LineFilter): [Statement<{ count: number }>, unknown[]] {
  const { key, where, values } = filtered(filter, 2)
  const text = `select count(*)::int as count from (
    select 1 from events e where e.project_id = $1${where} and ${notErased} limit 100000) bounded`
  return [statement(`events_count_${key}`, text), [projectId, ...values]]
}

/** Whether a contact is there. */
export const findContact = statement<object>(
  'events_find_contact',
  'select 1 from contacts where project_id = $1 and id = $2 and deleted_at is null',
)

/** Counts by name from the daily counters, most frequent first. */
export const countNames = statement<{ name: string; count: number }>(
  'events_count_names',
  `select c.name, sum(c.count)::float8 as count from event_counts c
   where c.project_id = $1 and ($2::timestamptz is null or c.day >= ($2::timestamptz at time zone 'UTC')::date)
     and ($3::timestamptz is null or c.day <= ($3::timestamptz at time zone 'UTC')::date)
     and not exists (select 1 from event_erasures x where x.project_id = c.project_id and x.name = c.name)
   group by c.name having sum(c.count) > 0 order by count desc, c.name limit 1000`,
)

/** The newest id of a name: erasing takes the lines up to it. */
export const newestOfName = statement<{ id: string | null; count: number }>(
  'events_newest_of_name',
  `select max(e.id) as id, count(*)::int as count from events e where e.project_id = $1 and e.name = $2 and ${notErased}`,
)

/** Notes what is to be erased: a contact's lines, or a name's up to an id. */
export const noteErasure = statement<object>(
  'events_note_erasure',
  `insert into event_erasures (project_id, id, contact_id, name, before, created_at) values ($1, $2, $3, $4, $5, $6)`,
)

/** An erasure that has not finished. */
export const findErasure = statement<{ contactId: string | null; name: string | null; before: string | null }>(
  'events_find_erasure',
  `select contact_id as "contactId", name, before from event_erasures where project_id = $1 and id = $2`,
)

/** Ends an erasure. */
export const endErasure = statement<object>('events_end_erasure', 'delete from event_erasures where project_id = $1 and id = $2')

// The counter's row is locked first: lines it has not reached yet must not be taken off the counters.
const takeOff = `
  , taken as (
    select g.project_id, g.name, (g.created_at at time zone 'UTC')::date as day, count(*) as count
    from gone g, reader r where (g.epoch, g.xid, g.id) <= (r.epoch, r.xid, r.id) group by 1, 2, 3
  ), lowered as (
    update event_counts c set count = greatest(0, c.count - t.count) from taken t
    where c.project_id = t.project_id and c.name = t.name and c.day = t.day
  )
  select count(*)::int as count from gone`

/** Removes one batch of a contact's lines and takes them off the counters. */
export const removeOfContact = statement<{ count: number }>(
  'events_remove_of_contact',
  `with reader as (select epoch, xid, id from log_readers where reader = 'counts' for update),
   gone as (delete from events where project_id = $1 and id in
     (select id from events where project_id = $1 and contact_id = $2 order by id limit $3) returning *)
   ${takeOff}`,
)

/** Removes one batch of a name's lines and takes them off the counters. */
export const removeOfName = statement<{ count: number }>(
  'events_remove_of_name',
  `with reader as (select epoch, xid, id from log_readers where reader = 'counts' for update),
   gone as (delete from events where project_id = $1 and id in
     (select id from events where project_id = $1 and name = $2 and id <= $3 order by id limit $4) returning *)
   ${takeOff}`,
)

/** Counts the lines of a range of the log ($1 to $6) into the daily counters. */
export const countRange = statement<object>(
  'events_count_range',
  `insert into event_counts as c (project_id, name, day, count)
   select e.project_id, e.name, (e.created_at at time zone 'UTC')::date, count(*) from events e where ${inRange('e')} group by 1, 2, 3 order by 1, 2, 3
   on conflict (project_id, name, day) do update set count = c.count + excluded.count`,
  { allProjects: 'one counter reads the whole log' },
)

/** The epoch lines are written in at present. */
export const readEpoch = statement<{ epoch: number }>('events_epoch', `${presentEpoch} as epoch`, {
  allProjects: 'the epoch is of the whole database',
})

/** Raises the epoch where lines lie in the future of this cluster; a block, because a DDL needs a literal: read, decide and alter under one lock. */
export const raiseEpochDefault = statement<object>(
  'events_raise_epoch',
  `do $$ declare now_at int; begin
     perform pg_advisory_xact_lock(hashtext('postwire events epoch'));
     now_at := (${presentEpoch});
     if exists (select 1 from events where epoch >= now_at and xid >= pg_snapshot_xmax(pg_current_snapshot())) then
       execute format('alter table events alter column epoch set default %s', greatest(now_at, (select max(epoch) from events)) + 1);
     end if;
   end $$`,
  { allProjects: 'the epoch is of the whole database' },
)
