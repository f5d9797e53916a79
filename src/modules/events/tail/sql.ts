import { statement } from '../../../kit/postgres/db.ts'
import { linesAfter } from '../order.ts'

/** Maximum number of lines per query. */
export const pageSize = 500
/** A query ends with the line whose data, with those before, is this long: 2 MB. */
export const pageBytes = 2_097_152

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
  /** How long its data is, about. */
  bytes: number
  /** The page ends with it because of its bytes: there may be more lines. */
  full: boolean
  /** No other line can appear before this one any more. */
  settled: boolean
  /** Its contact or its name was deleted: it is hidden. */
  erased: boolean
}

const columns = `e.epoch, e.xid::text as xid, e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", c.email as "contactEmail", e.email_id as "emailId",
  e.data, e.created_at as "createdAt", e.size as bytes, e.sum >= ${pageBytes} as full, (e.epoch < n.present or e.xid < n.xmin) as settled,
  c.deleted_at is not null or coalesce(e.id <= x.before, false) as erased`

// Nearly all data is stored as it is, and its size is known without reading it. What Postgres has compressed may be a hundred times as long.
const size = 'coalesce(case when pg_column_compression(l.data) is null then pg_column_size(l.data) else octet_length(l.data::text) end, 0)'
const inOrder = 'over (order by epoch, xid, id rows unbounded preceding)'

// The lines up to the one that fills the page. The count is a condition at which Postgres stops: the sizes of later lines are not looked at.
const upToBytes = (lines: string): string => `select * from (
    select s.*, count(*) filter (where s.sum - s.size >= ${pageBytes}) ${inOrder} as beyond from (
      select l.*, sum(l.size) ${inOrder} as sum from (select l.*, ${size} as size from (${lines}) l) l) s) b
  where b.beyond < 1`

// Lines are joined with deletions after they are read, so that a query costs the same however much is being removed. The
// limit is a literal, because a plan for an unknown number of lines would read all contacts.
const read = (whose: string) => `with n as materialized (
    select log_epoch() as present, pg_snapshot_xmin(pg_current_snapshot()) as xmin, pg_snapshot_xmax(pg_current_snapshot()) as xmax)
  select n.present, n.xmin::text as horizon, n.xmax::text as head, l.* from n left join lateral (
    select ${columns} from (${upToBytes(linesAfter({ select: 'e.*', position: ['$2::smallint', '$3::text::xid8', '$4'], and: whose, limit: String(pageSize) }))}) e
    left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
    left join event_erasures x on x.project_id = e.project_id and x.name = e.name
    order by e.epoch, e.xid, e.id) l on true`

/** The lines of the watched projects ($1) after a position: one query for all subscribers of a process. */
export const readTail = statement<TailRow>('events_read_tail', read('e.project_id = any($1)'))

/** The lines of one project ($1) after a position. */
export const readProject = statement<TailRow>('events_read_project', read('e.project_id = $1'))
