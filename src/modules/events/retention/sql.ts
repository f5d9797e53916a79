import { statement } from '../../../kit/postgres/db.ts'
import { handledByAll } from '../reader/sql.ts'

/** The next project after an id ($1) that has lines before an event id ($2). */
export const findProjectWithOldLines = statement<{ id: string }>(
  'events_find_project_with_old_lines',
  `select p.id from projects p where p.id > $1 and exists (select from events e where e.project_id = p.id and e.id < $2) order by p.id limit 1`,
  { allProjects: 'old lines of all projects are removed, one project at a time' },
)

/**
 * Removes old lines of a project ($1) among the next $4 between two ids ($2, $3), and returns the last id it looked at, null
 * at the end. What is summarised of them stays until its contact is deleted, which finds it by the names that are stored here. Lines
 * that a reader has not handled yet stay, and so does what says that a contact has opted out. Daily counters are
 * not lowered, but the total of the list is.
 */
export const removeOldLines = statement<{ upTo: string | null; removed: number }>(
  'events_remove_old_lines',
  `with reader as (
     ${handledByAll}
   ), old as materialized (
     select e.project_id, e.id, e.epoch, e.xid, e.name, e.contact_id from events e where e.project_id = $1 and e.id > $2 and e.id < $3 order by e.id limit $4
   ), gone as (
     delete from events e using old o, reader r
     where e.project_id = o.project_id and e.id = o.id and (o.epoch, o.xid, o.id) <= (r.epoch, r.xid, r.id)
       and not (o.name = 'contact.unsubscribed'
         and (select not c.subscribed from contacts c where c.project_id = o.project_id and c.id = o.contact_id limit 1) is true)
     returning e.project_id, e.contact_id, e.name
   ), unlogged as (
     insert into unlogged_events (project_id, contact_id, name)
     select distinct project_id, contact_id, name from gone where contact_id is not null order by 1, 2, 3 on conflict do nothing
   ), total as (
     update event_totals n set count = n.count - g.count
     from (select project_id, count(*) as count from gone group by 1) g where n.project_id = g.project_id
   )
   select (select max(id) from old) as "upTo", (select count(*)::int from gone) as removed`,
)
