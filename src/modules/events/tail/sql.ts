import { statement } from '../../../kit/postgres/db.ts'

/** Lines one reading looks at, at most. */
export const pageSize = 500

/** A line as the tail reads it; all null when there is none, beside the horizon. */
export interface TailRow {
  /** Transactions below it have ended for everyone. */
  horizon: string
  /** The next transaction id to be given out. */
  head: string
  epoch: number
  xid: string
  id: string | null
  projectId: string
  name: string
  contactId: string | null
  contactEmail: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
  /** Nothing can appear before this line any more. */
  settled: boolean
  /** Its contact or its name is deleted: it is not shown. */
  erased: boolean
}

const columns = `e.epoch, e.xid::text as xid, e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", c.email as "contactEmail", e.email_id as "emailId",
  e.data, e.created_at as "createdAt", (e.epoch < $2 or e.xid < n.xmin) as settled,
  c.deleted_at is not null or coalesce(e.id <= x.before, false) as erased`

// What is deleted is told apart after the lines are read, so that a reading costs the same whatever is being removed. The
// limit stands in the text: a plan for an unknown number of lines would read all contacts.
const read = (where: string, order: string) => `with n as materialized (
    select pg_snapshot_xmin(pg_current_snapshot()) as xmin, pg_snapshot_xmax(pg_current_snapshot()) as xmax)
  select n.xmin::text as horizon, n.xmax::text as head, l.* from n left join lateral (
    select ${columns} from (select * from events e where ${where} order by ${order} limit ${pageSize}) e
    left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
    left join event_erasures x on x.project_id = e.project_id and x.name = e.name
    order by ${order}) l on true`

const place = '$3::smallint, $4::text::xid8, $5'

/** Lines of the watched projects ($1) after a place: the one query of a wake-up, whoever watches. */
export const readTail = statement<TailRow>(
  'events_read_tail',
  read(`e.project_id = any($1) and (e.epoch, e.xid, e.id) > (${place})`, 'e.epoch, e.xid, e.id'),
)

/** Lines of one project ($1) after a place. The project stands inside the comparison, so that its own index is entered right there. */
export const readProject = statement<TailRow>(
  'events_read_project',
  read(`e.project_id <= $1 and (e.project_id, e.epoch, e.xid, e.id) > ($1, ${place})`, 'e.project_id, e.epoch, e.xid, e.id'),
)
