import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'
import type { ListSql } from '../../../kit/postgres/list.ts'
import { countedActivities } from '../../filters/fields.ts'
import { isPermanent } from '../outcomes/sql.ts'
import { inRange } from '../reader/sql.ts'

// Which lines are summarised under a second name, by their data. A line without the data that says so is counted: only lines of the
// platform have these names.
const isCounted: Record<(typeof countedActivities)[number]['only'], string> = {
  people: `e.data ->> 'bot' is distinct from 'true'`,
  permanent: isPermanent('e'),
}

const secondName = (name: string, conditionOf: (activity: (typeof countedActivities)[number]) => string): string =>
  `(case ${countedActivities.map((one) => `when ${name} = '${one.line}'${conditionOf(one)} then '${one.name}'`).join(' ')} end)`

const names = `(values (e.name), ${secondName('e.name', ({ only }) => ` and ${isCounted[only]}`)}) n(name)`

/**
 * Stores when the events of a range of the log ($1 to $5) last happened to each contact. Lines of contacts that are deleted
 * are left out, and so are lines of names that are being erased. Rows are written in the order of their key, as everywhere.
 */
export const summariseRange = statement<object>(
  'events_summarise_range',
  `insert into contact_events as s (project_id, name, contact_id, last_at)
   select e.project_id, n.name, e.contact_id, max(e.created_at) from events e cross join lateral ${names}
   where ${inRange('e')} and n.name is not null
     and (select c.deleted_at is null from contacts c where c.project_id = e.project_id and c.id = e.contact_id limit 1)
     and not exists (select from event_erasures x where x.project_id = e.project_id and x.name = e.name and x.before >= e.id)
   group by 1, 2, 3 order by 1, 2, 3
   on conflict (project_id, name, contact_id) do update set last_at = excluded.last_at where excluded.last_at > s.last_at`,
  { allProjects: 'one reader reads the whole log' },
)

// The names that a line of a name may be summarised under, whatever its data.
const possibleNames = (name: string): string => `(values (${name}), ${secondName(name, () => '')})`

/**
 * SQL of CTEs of a statement that forget what contacts are summarised to, by `lines` of theirs: a CTE with project_id, contact_id
 * and name. There is no index by contact, which every event would have to write. The rows are locked in the order in
 * which they are written.
 */
export const forgottenSummaries = (lines: string): string => `held_summaries as materialized (
     select s.project_id, s.name, s.contact_id
     from (select distinct l.project_id, n.name, l.contact_id from ${lines} l cross join lateral ${possibleNames('l.name')} n(name)) q
     join contact_events s on s.project_id = q.project_id and s.name = q.name and s.contact_id = q.contact_id
     order by s.project_id, s.name, s.contact_id for update of s
   ), forgotten as (
     delete from contact_events s using held_summaries h
     where s.project_id = h.project_id and s.name = h.name and s.contact_id = h.contact_id)`

/** Forgets the next $3 names of contacts ($2) whose lines retention has removed, and what is summarised of them; returns how many. */
export const forgetUnlogged = batchStatement<{ count: number }>(
  'events_forget_unlogged',
  `with gone as (
     delete from unlogged_events where project_id = $1 and ctid = any(array(
       select ctid from unlogged_events where project_id = $1 and contact_id = any($2::text[]) order by contact_id, name limit $3 for update))
     returning project_id, contact_id, name
   ), ${forgottenSummaries('gone')}
   select count(*)::int as count from gone`,
)

/** The contacts to whom an event happened, without those that are deleted, and without what is being erased with its name. */
export const contactsOfEvent: ListSql<{ name: string }> = {
  name: 'events_contacts',
  table: 'contact_events',
  columns: 'l.name, l.contact_id as "contactId", l.last_at as "lastAt"',
  conditions: [['name', (at) => `l.name = ${at}`]],
  shown: `not exists (select 1 from contacts d where d.project_id = $1 and d.id = v."contactId" and d.deleted_at is not null)
    and not exists (select 1 from event_erasures x where x.project_id = $1 and x.name = v.name and x.created_at >= v."lastAt")`,
}

/**
 * Removes the summaries of a name ($1 project, $2 name) among the next $5 contacts after $4, except of contacts to whom it has
 * happened since the line $3; returns the last contact it looked at, null at the end.
 */
export const removeSomeOfName = statement<{ upTo: string | null }>(
  'events_remove_some_of_name',
  `with batch as (
     select s.project_id, s.contact_id from contact_events s where s.project_id = $1 and s.name = $2 and s.contact_id > $4 order by s.contact_id limit $5
   ), gone as (
     delete from contact_events s using batch b where s.project_id = b.project_id and s.name = $2 and s.contact_id = b.contact_id and (
         select true from events e where e.project_id = b.project_id and e.name = $2 and e.contact_id = b.contact_id and e.id > $3 limit 1) is null
     returning s.project_id, s.contact_id
   ), unlogged as (
     delete from unlogged_events u using gone g where u.project_id = g.project_id and u.contact_id = g.contact_id and u.name = $2
   )
   select max(contact_id) as "upTo" from batch`,
)

/** Removes one batch ($2) of the summaries of a project; returns how many, 0 when none is left. */
export const removeSomeOfProject = batchStatement<{ count: number }>(
  'events_remove_some_of_project',
  `with gone as (
     delete from contact_events where project_id = $1 and ctid = any(array(
       select ctid from contact_events where project_id = $1 order by name, contact_id limit $2 for update)) returning 1
   ), unlogged as (
     delete from unlogged_events where project_id = $1 and ctid = any(array(
       select ctid from unlogged_events where project_id = $1 order by contact_id, name limit $2 for update)) returning 1)
   select ((select count(*) from gone) + (select count(*) from unlogged))::int as count`,
)
