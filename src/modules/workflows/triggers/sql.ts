import { statement } from '../../../kit/postgres/db.ts'
import { linesAfter } from '../../events/order.ts'
import { handledBy, inRange, type PositionRow } from '../../events/reader/sql.ts'
import { isStartedBy } from '../sql.ts'

const wholeLog = { allProjects: 'a reader of the log notes lines of every project; they are joined by their project_id' }

/** The name under which the position of the reader is stored. */
export const readerName = 'workflows'

/** How many lines of a project may wait to be handled, about: those after them are noted later. */
export const maxWaiting = 100_000

/** Selects the position up to which the lines of a project are noted; no row where no process has begun to read the log. */
export const notedUpTo = (projectId: string) => `select b.epoch, b.xid, b.id from workflow_backlogs b where b.project_id = ${projectId}
     union all ${handledBy(readerName)} and not exists (select from workflow_backlogs b where b.project_id = ${projectId})`

/** A name of events of a project that some workflow asks for. */
export interface ConcernedName {
  projectId: string
  name: string
  /** Whether lines of all contacts concern one, and not only those of contacts who wait. */
  always: boolean
}

const hasWorkflow = `select true as found from workflows w where w.project_id = n.project_id`

// The lines of a range ($1 to $5) that are about a contact.
const ofContacts = `${inRange('e')} and e.contact_id is not null`

function concernedNames(name: string, scope: string, options?: typeof wholeLog) {
  return statement<ConcernedName>(
    name,
    `with names as materialized (
       select e.project_id, e.name from events e where ${ofContacts} ${scope} group by e.project_id, e.name)
     select n.project_id as "projectId", n.name, t.found is true or x.found is true as always
     from names n
     left join lateral (${hasWorkflow} and ${isStartedBy('n.name')} limit 1) t on true
     left join lateral (${hasWorkflow} and w.exit_events <> '{}' and n.name = any(w.exit_events) limit 1) x on true
     left join lateral (
       select true as found from workflow_executions o where o.project_id = n.project_id and o.waits_for = n.name limit 1) s on true
     where t.found or x.found or s.found`,
    options,
  )
}

/**
 * The names of the lines of a range ($1 to $5) that some workflow asks for: a few lookups per name and project, however many lines and
 * workflows there are. It is all that batches cost which concern no workflow.
 */
export const findConcernedNames = concernedNames('workflows_find_concerned_names', '', wholeLog)

/** The same for the lines of one project ($6). */
export const findConcernedOf = concernedNames('workflows_find_concerned_of', 'and e.project_id = $6')

// Not joined with anything before the range has been read, so that lines are found by it. `$6` to `$8`: ConcernedName, by column.
function noting(scope: string, unlessFull: string): string {
  return `with lines as materialized (
     select e.project_id, e.epoch, e.xid, e.id, e.contact_id
     from (select e.project_id, e.name, e.contact_id, e.epoch, e.xid, e.id from events e where ${ofContacts} ${scope} offset 0) e
     join unnest($6::text[], $7::text[], $8::bool[]) as n(project_id, name, always) on n.project_id = e.project_id and n.name = e.name
     where (n.always or exists (
         select from workflow_executions x where x.project_id = e.project_id and x.waits_for = e.name and x.contact_id = e.contact_id))
       and not exists (select from projects p where p.id = e.project_id and p.erasing_at is not null) ${unlessFull}),
   ends as materialized (
     select p.project_id, coalesce(l.place, 0) as last, coalesce(l.place - f.place + 1, 0) as waiting
     from (select distinct project_id from lines) p
     left join lateral (select o.place from workflow_lines o where o.project_id = p.project_id order by o.place limit 1) f on true
     left join lateral (select o.place from workflow_lines o where o.project_id = p.project_id order by o.place desc limit 1) l on true)`
}

const noted = (which: string) => `noted as (
     insert into workflow_lines (project_id, place, id, contact_id)
     select l.project_id, d.last + row_number() over (partition by l.project_id order by l.epoch, l.xid, l.id), l.id, l.contact_id
     from lines l join ends d on d.project_id = l.project_id ${which} returning project_id)`

/** A project of which lines were noted, or of which none are noted any more for now. */
export interface NotedProject {
  projectId: string
  full: boolean
}

/**
 * Notes the lines of a range ($1 to $5) that may start, end or wake executions: those with some names ($6 projects, $7 names, $8 whether
 * those of all contacts). Of a project with too many that wait none are noted, but the position before the range.
 */
export const noteLines = statement<NotedProject>(
  'workflows_note_lines',
  `${noting('', 'and not exists (select from workflow_backlogs b where b.project_id = e.project_id)')},
   ${noted(`where d.waiting < ${maxWaiting}`)},
   full_ones as (
     insert into workflow_backlogs (project_id, epoch, xid, id)
     select d.project_id, $1::smallint, $2::text::xid8, $3 from ends d where d.waiting >= ${maxWaiting} returning project_id)
   select distinct project_id as "projectId", false as full from noted union all select project_id, true from full_ones`,
  wholeLog,
)

/** The same for the lines of one project ($9), however many wait. */
export const noteLinesOf = statement<{ count: number }>(
  'workflows_note_lines_of',
  `${noting('and e.project_id = $9', '')}, ${noted('')} select count(*)::int as count from noted`,
)

/** Whether a project has lines that are to be noted later, and may be noted now. */
export const findBacklog = statement<{ ready: boolean }>(
  'workflows_find_backlog',
  `select coalesce(l.place - f.place + 1, 0) <= ${maxWaiting / 2} as ready from workflow_backlogs b
   left join lateral (select o.place from workflow_lines o where o.project_id = $1 order by o.place limit 1) f on true
   left join lateral (select o.place from workflow_lines o where o.project_id = $1 order by o.place desc limit 1) l on true
   where b.project_id = $1`,
)

/** The position behind which the lines of a project are to be noted, locked until the transaction ends. */
export const lockBacklog = statement<PositionRow>(
  'workflows_lock_backlog',
  'select epoch, xid::text as xid, id from workflow_backlogs where project_id = $1 for update',
)

/**
 * The last of the next $5 lines of a project ($1) behind a position ($2 to $4), up to that of the reader ($6 to $8), that are in one
 * epoch; no row where there are none.
 */
export const findBacklogEnd = statement<PositionRow>(
  'workflows_find_backlog_end',
  `with lines as materialized (${linesAfter({
    select: 'e.epoch, e.xid, e.id',
    position: ['$2::smallint', '$3::text::xid8', '$4'],
    and: 'e.project_id = $1 and (e.epoch, e.xid, e.id) <= ($6::smallint, $7::text::xid8, $8)',
    limit: '$5',
  })})
   select epoch, xid::text as xid, id from lines
   where epoch = (select min(epoch) from lines) order by lines.xid desc, id desc limit 1`,
)

/** Moves the position ($2 to $4) behind which the lines of a project are to be noted. */
export const moveBacklog = statement<object>(
  'workflows_move_backlog',
  'update workflow_backlogs set epoch = $2, xid = $3::text::xid8, id = $4 where project_id = $1',
)

/** Lets the lines of a project be noted as those of others. */
export const removeBacklog = statement<object>('workflows_remove_backlog', 'delete from workflow_backlogs where project_id = $1')
