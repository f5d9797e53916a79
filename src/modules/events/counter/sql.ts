import { statement } from '../../../kit/postgres/db.ts'
import { countedUpTo, inRange } from '../reader/sql.ts'

// Whether a counter is of a day before that on which its name was deleted (x): everything that it has counted is erased.
const isBeforeErasure = (counter: string): string => `${counter}.day < (x.created_at at time zone 'UTC')::date`

// Whether the name of a counter is being erased, and the counter has counted lines that are.
const isErased = (
  counter: string,
): string => `exists (select 1 from event_erasures x where x.project_id = ${counter}.project_id and x.name = ${counter}.name
       and (${isBeforeErasure(counter)} or exists (select 1 from events e where e.project_id = x.project_id and e.name = x.name and e.id <= x.before)))`

/** How often an event happened, and how many daily counters all names have together. */
export interface CountedName {
  name: string
  count: number
  counters: number
}

/**
 * Counts by name from the daily counters, most frequent first, at most 1,000, and of how many counters in all; without names whose
 * lines are being removed.
 */
export const countNames = statement<CountedName>(
  'events_count_names',
  `select c.name, sum(c.count)::float8 as count, (sum(count(*)) over ())::float8 as counters from event_counts c
   where c.project_id = $1 and ($2::timestamptz is null or c.day >= ($2::timestamptz at time zone 'UTC')::date)
     and ($3::timestamptz is null or c.day <= ($3::timestamptz at time zone 'UTC')::date)
     and not ${isErased('c')}
   group by c.name having sum(c.count) > 0 order by count desc, c.name limit 1000`,
)

/**
 * The names that happened most from a day ($3) to another ($4), at most $6, with how often they happened from an earlier day ($2) up to the
 * first one; only names that a pattern ($5) matches, if there is one, and without those whose lines are being removed.
 */
export const compareNames = statement<{ name: string; count: number; before: number }>(
  'events_compare_names',
  `select t.name, t.count, coalesce((
       select sum(b.count::float8) from event_counts b
       where b.project_id = $1 and b.name = t.name and b.day >= $2::date and b.day < $3::date and not ${isErased('b')}), 0) as before
   from (
     select c.name, sum(c.count::float8) as count from event_counts c
     where c.project_id = $1 and c.day >= $3::date and c.day <= $4::date and ($5::text is null or c.name ~ $5)
       and (c.name not in (select x.name from event_erasures x where x.project_id = $1 and x.name is not null) or not ${isErased('c')})
     group by c.name having sum(c.count::float8) > 0 order by count desc, c.name limit $6) t
   order by t.count desc, t.name`,
)

// The lines of the project $1 that are not counted yet, after the position p.
const countedLater = (columns: string): string => `
       select ${columns} from events e where e.project_id = $1 and e.epoch = p.epoch and e.xid >= p.xid and (e.xid, e.id) > (p.xid, p.id)
       union all select ${columns} from events e where e.project_id = $1 and e.epoch > p.epoch`

/**
 * How many lines a project has: those that were counted, and those after them, without hidden ones. One statement, because the
 * counter moves its position and the total together.
 */
export const countVisible = statement<{ count: number }>(
  'events_count_visible',
  `with counted as materialized (${countedUpTo}),
   later as materialized (
     select count(*) as count from counted p cross join lateral (${countedLater('')}) l),
   of_contacts as materialized (
     select coalesce(sum((select count(*) from events e where e.project_id = d.project_id and e.contact_id = d.id)), 0) as count
     from contacts d where d.project_id = $1 and d.deleted_at is not null),
   of_names as materialized (
     select count(*) as count from event_erasures x cross join lateral (
       select e.contact_id from events e where e.project_id = x.project_id and e.name = x.name and e.id <= x.before offset 0) e
     where x.project_id = $1 and not exists (
       select from contacts d where d.project_id = $1 and d.id = e.contact_id and d.deleted_at is not null))
   select (coalesce((select t.count from event_totals t where t.project_id = $1), 0) + (select count from later)
     - (select count from of_contacts) - (select count from of_names))::float8 as count`,
)

/** The same for the lines with a name ($2). What retention has removed is counted as well. */
export const countVisibleOfName = statement<{ count: number }>(
  'events_count_visible_of_name',
  `with counted as materialized (${countedUpTo}),
   later as materialized (
     select count(*) filter (where l.name = $2) as count from counted p cross join lateral (${countedLater('e.name')}) l),
   of_contacts as materialized (
     select coalesce(sum((
       select count(*) from events e where e.project_id = d.project_id and e.contact_id = d.id and e.name = $2)), 0) as count
     from contacts d where d.project_id = $1 and d.deleted_at is not null),
   of_names as materialized (
     select count(*) as count from event_erasures x join events e on e.project_id = x.project_id and e.name = x.name and e.id <= x.before
     where x.project_id = $1 and x.name = $2 and not exists (
       select from contacts d where d.project_id = $1 and d.id = e.contact_id and d.deleted_at is not null))
   select (coalesce((select sum(c.count) from event_counts c where c.project_id = $1 and c.name = $2), 0) + (select count from later)
     - (select count from of_contacts) - (select count from of_names))::float8 as count`,
)

/**
 * Removes the counters of a name ($2) that is being erased, of the days before its deletion, once no line of them is left: the
 * removal of the lines has lowered them, but not by what retention had removed before.
 */
export const removeErasedCounts = statement<object>(
  'events_remove_erased_counts',
  `with held as materialized (
     select c.day from event_erasures x join event_counts c on c.project_id = x.project_id and c.name = x.name
     where x.project_id = $1 and x.name = $2 and ${isBeforeErasure('c')}
       and not exists (select from events e where e.project_id = $1 and e.name = $2 and e.id <= x.before)
     order by c.day for update of c)
   delete from event_counts c using held h where c.project_id = $1 and c.name = $2 and c.day = h.day`,
)

/** Adds the lines of a range of the log ($1 to $5) to the daily counters and the totals. */
export const countRange = statement<object>(
  'events_count_range',
  `with lines as materialized (
     select e.project_id, e.name, (e.created_at at time zone 'UTC')::date as day, count(*) as count from events e where ${inRange('e')} group by 1, 2, 3
   ), counted as (
     insert into event_counts as c (project_id, name, day, count) select * from lines order by 1, 2, 3
     on conflict (project_id, name, day) do update set count = c.count + excluded.count returning c.project_id
   )
   insert into event_totals as n (project_id, count)
   select l.project_id, sum(l.count) from lines l where (select count(*) from counted) > 0 group by 1 order by 1
   on conflict (project_id) do update set count = n.count + excluded.count`,
  { allProjects: 'one counter reads the whole log' },
)
