import type { ListWindow, Slice } from '../../kit/paging.ts'
import { type Database, statement } from '../../kit/postgres/db.ts'
import {
  type Conditions,
  countRows,
  filtered,
  type ListSql,
  readSlice,
  sliceOf,
  stoppingAtBytes,
  type Visited,
  windowSql,
} from '../../kit/postgres/list.ts'
import { boundConditions, eventListSql, type LineBounds } from '../events/sql.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'

type Lists = Pick<Database, 'lists'>

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

const { sparse: _, ...lines } = eventListSql
const feed: ListSql<FeedFilter> = {
  ...lines,
  name: 'activity',
  extra: '(select c.email from contacts c where c.project_id = $1 and c.id = v."contactId" and c.deleted_at is null) as "contactEmail"',
  conditions,
}

/** The lines of a window. With `names`, the newest lines of each name are read from the index of names and then merged. */
export async function readFeed(
  db: Lists,
  projectId: string,
  { names, ...filter }: FeedFilter,
  window: ListWindow,
): Promise<Slice<ActivityRow>> {
  return names ? readNamed(db, feed, projectId, { ...filter, names }, window) : readSlice(db, feed, projectId, filter, window)
}

async function readNamed<Filter extends FeedFilter>(
  db: Lists,
  list: ListSql<Filter>,
  projectId: string,
  filter: Filter & { names: string[] },
  { take, ...window }: ListWindow,
): Promise<Slice<ActivityRow>> {
  const { key, sql, values } = windowSql(list, filter, window, ' and l.name = t.name')
  const order = `order by id ${window.orderBy.id}`
  const merged = `select v.* from unnest($${3 + values.length}::text[]) t(name) cross join lateral (${sql}) v ${order} limit $2`
  const text = `select v.*, ${feed.extra} from (${stoppingAtBytes(merged, list, window)}) v ${order}`
  const parameters = [projectId, take, ...values, filter.names]
  return sliceOf(await db.lists.run(statement<Visited<ActivityRow>>(`${list.name}_named_${key}`, text), parameters))
}

type CampaignFeedFilter = FeedFilter & { names: string[]; campaignId: string }

// Lines of other campaigns are skipped like hidden ones, so that the cost of a page is limited however many there are. The condition is
// the first one, so that its value is $3.
const campaignFeed: ListSql<CampaignFeedFilter> = {
  ...feed,
  name: 'activity_campaign',
  conditions: [['campaignId', (at) => `${at}::text is not null`], ...conditions],
  hidden: `(${feed.hidden} or v.data ->> 'campaignId' is distinct from $3)`,
}

/** The lines of a campaign in a window; reading stops after the newest 2,000 lines of a name. */
export async function readFeedOfCampaign(
  db: Lists,
  projectId: string,
  filter: CampaignFeedFilter,
  window: ListWindow,
): Promise<Slice<ActivityRow>> {
  return readNamed(db, campaignFeed, projectId, filter, window)
}

const ofCampaigns = `l.name in ('campaign.scheduled', 'campaign.sent', 'campaign.cancelled')`

/** The number of lines of a campaign, counted up to a number: those of each of its emails, and its own. */
export async function countOfCampaign(
  db: Lists,
  projectId: string,
  { campaignId, ...filter }: CampaignFeedFilter,
  upTo: number,
): Promise<number> {
  const { key, where, values } = filtered(feedCounted.conditions, filter, 4)
  const rows = `select l.* from emails e cross join lateral (
      select ${feed.columns} from events l where l.project_id = $1 and l.contact_id = e.contact_id and l.email_id = e.id${where}) l
    where e.project_id = $1 and e.campaign_id = $3 and l.data ->> 'campaignId' = $3
    union all select ${feed.columns} from events l where l.project_id = $1 and ${ofCampaigns} and l.data ->> 'campaignId' = $3${where}`
  const seen = `select 1 from (${rows} limit 2 * $2::bigint) v where ${feed.shown} limit $2`
  const [counted] = await db.lists.run(
    statement<{ count: number }>(`activity_campaign_count_${key}`, `select count(*)::int as count from (${seen}) bounded`),
    [projectId, upTo, campaignId, ...values],
  )
  return counted?.count ?? 0
}

const named: Conditions<FeedFilter> = [['names', (at) => `l.name = any(${at})`]]

/** The feed as it is counted. */
export const feedCounted: ListSql<FeedFilter> = { ...feed, conditions: [...conditions, ...named] }

/** The number of lines that match, counted up to 100,000. */
export async function countFeed(db: Lists, projectId: string, filter: FeedFilter): Promise<number> {
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

/**
 * How many of the emails sent in a range of days ($3 to $4) were opened, and clicked, at least once. Those that were accepted in it or
 * shortly before are found by their ids (from $2), as the time of sending has no index, so that recording it stays cheap; those that
 * waited longer, such as those of a campaign that was paused, by the lines of the log that say that they were sent ($5 to $6).
 */
export const sumEngaged = statement<{ opened: number; clicked: number }>(
  'activity_sum_engaged',
  `select count(*) filter (where opened_at is not null)::float8 as opened, count(*) filter (where clicked_at is not null)::float8 as clicked
   from (
     select opened_at, clicked_at, sent_at from emails where project_id = $1 and id >= $2
     union all
     select m.opened_at, m.clicked_at, m.sent_at from events e join emails m on m.project_id = e.project_id and m.id = e.email_id
     where e.project_id = $1 and e.name = 'email.sent' and e.id >= $5 and e.id < $6 and e.email_id < $2) v
   where sent_at >= $3 and sent_at < $4`,
)
