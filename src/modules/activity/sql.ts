import { type Statement, statement } from '../../kit/postgres/db.ts'
import { notErased } from '../events/sql.ts'

/** A line of the feed as it is read. */
export interface ActivityRow {
  id: string
  name: string
  contactId: string | null
  contactEmail: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** Which lines are looked for. Ids bound the time, so that a range is read from its index. */
export interface ActivityFilter {
  contactId?: string | undefined
  /** Only these event names; empty with `others` for all but the named ones. */
  names?: string[] | undefined
  /** Event names the feed has words for, when all others are asked for too. */
  notNamed?: readonly string[] | undefined
  from?: Date | undefined
  fromId?: string | undefined
  to?: Date | undefined
}

/** Which part of the feed: between two ids, newest first or, from the other end, oldest first. */
export interface FeedWindow {
  below?: string | undefined
  above?: string | undefined
  take: number
  oldestFirst?: boolean
}

const conditions: [keyof Filter, (at: string) => string][] = [
  ['contactId', (at) => `e.contact_id = ${at}`],
  ['from', (at) => `e.created_at >= ${at}`],
  ['fromId', (at) => `e.id >= ${at}`],
  ['to', (at) => `e.created_at < ${at}`],
  ['below', (at) => `e.id < ${at}`],
  ['above', (at) => `e.id > ${at}`],
]

type Filter = ActivityFilter & Pick<FeedWindow, 'below' | 'above'>

// Only what is asked for stands in the text, so that each combination has the plan of its own index.
function filtered(filter: Filter, first: number): { key: string; where: string; values: unknown[] } {
  const asked = conditions.filter(([field]) => filter[field] !== undefined)
  const values = asked.map(([field]) => filter[field])
  let where = asked.map(([, condition], at) => ` and ${condition(`$${first + at}`)}`).join('')
  let key = asked.map(([field]) => field).join('_')
  if (filter.names && filter.notNamed) {
    where += ` and (e.name = any($${first + values.length}) or e.name <> all($${first + values.length + 1}))`
    key += '_others'
    values.push(filter.names, filter.notNamed)
  }
  return { key, where, values }
}

const columns = 'e.id, e.name, e.contact_id, e.email_id, e.data, e.created_at'
const shown = (
  lines: string,
  order: string,
) => `select l.id, l.name, l.contact_id as "contactId", c.email as "contactEmail", l.email_id as "emailId", l.data, l.created_at as "createdAt"
  from (${lines}) l left join contacts c on c.project_id = $1 and c.id = l.contact_id and c.deleted_at is null ${order}`

/** Lines of a window. Named types are read from the index of their names, each its own newest, then merged. */
export function readFeed(
  projectId: string,
  filter: ActivityFilter,
  { take, oldestFirst, ...between }: FeedWindow,
): [Statement<ActivityRow>, unknown[]] {
  const { key, where, values } = filtered({ ...filter, ...between }, 3)
  const base = `where e.project_id = $1${where} and ${notErased}`
  const order = `order by id ${oldestFirst ? 'asc' : 'desc'}`
  const named = `${oldestFirst ? 'up' : 'down'}_${key}`
  if (!filter.names || filter.notNamed) {
    return [
      statement(`activity_feed_${named}`, shown(`select ${columns} from events e ${base} ${order} limit $2`, order)),
      [projectId, take, ...values],
    ]
  }
  const lines = `select e.* from unnest($${3 + values.length}::text[]) t(name) cross join lateral (
    select ${columns} from events e ${base} and e.name = t.name ${order} limit $2) e ${order} limit $2`
  return [statement(`activity_feed_named_${named}`, shown(lines, order)), [projectId, take, ...values, filter.names]]
}

/** How many lines that is, counted up to 100,000. */
export function countFeed(projectId: string, filter: ActivityFilter): [Statement<{ count: number }>, unknown[]] {
  const { key, where, values } = filtered(filter, 2)
  const named = filter.names && !filter.notNamed
  const text = `select count(*)::int as count from (
    select 1 from events e where e.project_id = $1${where}${named ? ` and e.name = any($${2 + values.length})` : ''} and ${notErased} limit 100000) bounded`
  return [statement(`activity_count_${named ? 'named_' : ''}${key}`, text), [projectId, ...values, ...(named ? [filter.names] : [])]]
}

/** Daily counters summed over some days: everything, and by the names the figures need. */
export const sumCounts = statement<{ total: number; sent: number; started: number }>(
  'activity_sum_counts',
  `select coalesce(sum(count), 0)::float8 as total,
     coalesce(sum(count) filter (where name = 'email.sent'), 0)::float8 as sent,
     coalesce(sum(count) filter (where name = 'workflow.started'), 0)::float8 as started
   from event_counts where project_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date`,
)

/** How many mails of those sent in some days have been opened and clicked at least once. */
export const sumEngaged = statement<{ opened: number; clicked: number }>(
  'activity_sum_engaged',
  `select count(*) filter (where opened_at is not null)::float8 as opened, count(*) filter (where clicked_at is not null)::float8 as clicked
   from emails where project_id = $1 and id >= $2 and sent_at >= $3 and sent_at < $4`,
)
