import { statement } from '../../../kit/postgres/db.ts'
import { linesAfter } from '../order.ts'

/** Maximum number of lines per query. */
export const pageSize = 500

/** A line as the tail reads it. Without lines there is one row: `present`, `horizon` and `head`, everything else null. */
export interface TailRow {
  /** The epoch in which lines are written at present. */
  present: number
  /** Every transaction with a lower id has ended and is visible to everyone. */
  horizon: string
  /** The next transaction id. */
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
  /** No other line can appear before this one any more. */
  settled: boolean
  /** Its contact or its name was deleted: it is hidden. */
  erased: boolean
}

const columns = `e.epoch, e.xid::text as xid, e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", c.email as "contactEmail", e.email_id as "emailId",
  e.data, e.created_at as "createdAt", (e.epoch < n.present or e.xid < n.xmin) as settled,
  c.deleted_at is not null or coalesce(e.id <= x.before, false) as erased`

// Lines are joined with deletions after they are read, so that a query costs the same however much is being removed. The
// limit is a literal, because a plan for an unknown number of lines would read all contacts.
const read = (whose: string) => `with n as materialized (
    select log_epoch() as present, pg_snapshot_xmin(pg_current_snapshot()) as xmin, pg_snapshot_xmax(pg_current_snapshot()) as xmax)
  select n.present, n.xmin::text as horizon, n.xmax::text as head, l.* from n left join lateral (
    select ${columns} from (${linesAfter({ select: 'e.*', position: ['$2::smallint', '$3::text::xid8', '$4'], and: whose, limit: String(pageSize) })}) e
    left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
    left join event_erasures x on x.project_id = e.project_id and x.name = e.name
    order by e.epoch, e.xid, e.id) l on true`

/** The lines of the watched projects ($1) after a position: one query for all subscribers of a process. */
export const readTail = statement<TailRow>('events_read_tail', read('e.project_id = any($1)'))

/** The lines of one project ($1) after a position. */
export const readProject = statement<TailRow>('events_read_project', read('e.project_id = $1'))
