import type { ListWindow, Slice } from '../../kit/paging.ts'
import { type Executor, statement } from '../../kit/postgres/db.ts'
import { type Conditions, countRows, type ListSql, readSlice, sliceOf, type Visited, windowSql } from '../../kit/postgres/list.ts'
import { boundConditions, eventListSql, type LineBounds } from '../events/sql.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'

/** A line of the event log, as the feed reads it. */
export type ActivityRow = Omit<StreamedLine, 'cursor'>

/** Which lines the feed shows. */
export interface FeedFilter extends LineBounds {
  /** Only these event names. */
  names?: string[] | undefined
  /** All event names except these. */
  others?: string[] | undefined
}

const conditions: Conditions<FeedFilter> = [...boundConditions, ['others', (at) => `l.name <> all(${at})`]]

const feed: ListSql<FeedFilter> = {
  ...eventListSql,
  name: 'activity',
  extra: '(select c.email from contacts c where c.project_id = $1 and c.id = v."contactId" and c.deleted_at is null) as "contactEmail"',
  conditions,
}

/** The lines of a window. With `names`, the newest lines of each name are read from the index of names and then merged. */
export async function readFeed(
  db: Executor,
  projectId: string,
  { names, ...filter }: FeedFilter,
  { take, ...window }: ListWindow,
): Promise<Slice<ActivityRow>> {
  if (!names) return readSlice<ActivityRow, FeedFilter>(db, feed, projectId, filter, { take, ...window })
  const { key, sql, values } = windowSql(feed, filter, window, ' and l.name = t.name')
  const order = `order by id ${window.orderBy.id}`
  const merged = `select v.* from unnest($${3 + values.length}::text[]) t(name) cross join lateral (${sql}) v ${order} limit $2`
  const text = `select v.*, ${feed.extra} from (${merged}) v ${order}`
  return sliceOf(await db.run(statement<Visited<ActivityRow>>(`activity_named_${key}`, text), [projectId, take, ...values, names]))
}

const named: Conditions<FeedFilter> = [['names', (at) => `l.name = any(${at})`]]

/** The feed as it is counted. */
export const feedCounted: ListSql<FeedFilter> = { ...feed, conditions: [...conditions, ...named] }

/** The number of lines that match, counted up to 100,000. */
export async function countFeed(db: Executor, projectId: string, filter: FeedFilter): Promise<number> {
  return countRows(db, feedCounted, projectId, filter)
}

/** Daily counters summed over a range of days: all events, emails sent and workflows started. */
export const sumCounts = statement<{ total: number; sent: number; started: number }>(
  'activity_sum_counts',
  `select coalesce(sum(count), 0)::float8 as total,
     coalesce(sum(count) filter (where name = 'email.sent'), 0)::float8 as sent,
     coalesce(sum(count) filter (where name = 'workflow.started'), 0)::float8 as started
   from event_counts where project_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date`,
)

/** How many of the emails sent in a range of days were opened, and clicked, at least once. */
export const sumEngaged = statement<{ opened: number; clicked: number }>(
  'activity_sum_engaged',
  `select count(*) filter (where opened_at is not null)::float8 as opened, count(*) filter (where clicked_at is not null)::float8 as clicked
   from emails where project_id = $1 and id >= $2 and sent_at >= $3 and sent_at < $4`,
)
