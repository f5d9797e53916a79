import type { Ctx } from '../../kit/context.ts'
import { idRange, kindOfId } from '../../kit/ids.ts'
import {
  type Connection,
  type ConnectionArgs,
  type IdList,
  type ListWindow,
  readConnection,
  readPage,
  type Slice,
} from '../../kit/paging.ts'
import { countFiltered, countOnce, isFiltered } from '../../kit/postgres/totals.ts'
import { countVisibleEvents } from '../events/events.ts'
import { campaignIdOf, eventsOfCampaigns } from '../events/relations/campaign.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'
import { executionIdOf } from '../workflows/executions/log.ts'
import type { Activity, ActivityFilter, ActivitySearch } from './shapes.ts'
import { countFeed, countOfCampaign, type FeedFilter, feedCounted, readFeed, readFeedOfCampaign } from './sql.ts'
import { activityTypeOf, activityTypes, namesWithOwnType, triggered, typeFilterOf } from './types.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

const minuteMs = 60_000

/** The activity of the project as a list, newest first, filtered by type, contact, campaign and time. */
function activityList(ctx: Call, search: ActivityFilter): IdList<LinkedActivity> {
  return search.campaignId === undefined ? wholeList(ctx, search) : campaignList(ctx, { ...search, campaignId: search.campaignId })
}

function wholeList({ world, db, projectId }: Call, { types, contactId, from, to }: ActivityFilter): IdList<LinkedActivity> {
  const wanted = typeFilterOf(types)
  const filter = {
    contactId,
    from,
    to,
    ...idRange('event', from, to),
    ...(wanted?.others && { others: namesWithOwnType.filter((name) => !wanted.names.includes(name)) }),
    ...(wanted && !wanted.others && { names: wanted.names }),
  }
  return {
    kind: 'event',
    read: async (window) => {
      const { rows, stoppedAt } = await readFeed(db, projectId, filter, window)
      return { rows: rows.map(linkedActivityOf), stoppedAt }
    },
    count: () =>
      isFiltered(filter) ? countFiltered({ world, db }, feedCounted, projectId, filter) : countVisibleEvents({ db, projectId }),
  }
}

// No index leads from a campaign to its lines, which would cost each line that is written: the newest lines of its kinds are read,
// back to the time of the campaign, which is in its id.
function campaignList(
  { world, db, projectId }: Call,
  { types, contactId, campaignId, from, to }: ActivityFilter & { campaignId: string },
): IdList<LinkedActivity> {
  const wanted = typeFilterOf(types)
  const isWanted = (name: string) => !wanted || wanted.names.includes(name) || (wanted.others && !namesWithOwnType.includes(name))
  const { fromId = '', toId } = idRange('event', from, to)
  const made = `evt_${campaignId.slice(4, 14)}`
  const filter: FeedFilter & { names: string[] } = {
    ...{ contactId, from, to, toId },
    fromId: fromId > made ? fromId : made,
    names: kindOfId(campaignId) === 'campaign' ? eventsOfCampaigns.filter(isWanted) : [],
  }
  return {
    kind: 'event',
    read: async (window) => {
      const { rows, stoppedAt } = await untilFull(window, (part) => readFeedOfCampaign(db, projectId, { ...filter, campaignId }, part))
      return { rows: rows.map(linkedActivityOf), stoppedAt }
    },
    count: () =>
      countOnce(
        { world, db },
        {
          name: JSON.stringify(['activity of campaign', projectId, campaignId, filter]),
          count: (on, upTo) => countOfCampaign(on, projectId, { ...filter, campaignId }, upTo),
        },
      ),
  }
}

const maxParts = 10

// Reading stops early where much else has happened: then it goes on, but not for ever.
async function untilFull<Row>(window: ListWindow, read: (part: ListWindow) => Promise<Slice<Row>>): Promise<Slice<Row>> {
  const rows: Row[] = []
  const beyond = window.orderBy.id === 'desc' ? 'lt' : 'gt'
  let part = window
  for (let parts = 1; ; parts++) {
    const found = await read(part)
    rows.push(...found.rows)
    if (found.stoppedAt === undefined || rows.length >= window.take || parts === maxParts) return { rows, stoppedAt: found.stoppedAt }
    part = { ...window, take: window.take - rows.length, where: { id: { ...window.where.id, [beyond]: found.stoppedAt } } }
  }
}

/** A page of the activity of the project, newest first, filtered by type, contact, campaign and time. */
export async function listActivity(ctx: Call, { startDate, endDate, ...search }: ActivitySearch) {
  return readPage(activityList(ctx, { ...search, from: startDate, to: endDate }), search)
}

/** The same list as a connection. The cursor of an item is made from its id; it is not a cursor of the live stream. */
export async function connectActivity(ctx: Call, filter: ActivityFilter, args: ConnectionArgs): Promise<Connection<LinkedActivity>> {
  return readConnection(activityList(ctx, filter), args)
}

/** Every type of activity. */
export async function listActivityTypes() {
  return { types: [...activityTypes], data: [...activityTypes] }
}

/** The number of events in the last `minutes` minutes, counted up to 100,000. */
export async function countRecentActivity(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { minutes }: { minutes: number },
) {
  const from = new Date(clock.now().getTime() - minutes * minuteMs)
  return { count: await countFeed(db, projectId, { from, ...idRange('event', from, undefined) }), minutes }
}

/** An item of the activity feed with the ids of the email, the campaign and the execution it is about, which lead to these. */
export type LinkedActivity = Activity & { emailId: string | null; campaignId: string | null; executionId: string | null }

/** Converts a line of the event log to an item of the activity feed with what it leads to. */
export function linkedActivityOf(line: Omit<StreamedLine, 'cursor'>): LinkedActivity {
  return { ...activityOf(line), emailId: line.emailId, campaignId: campaignIdOf(line), executionId: executionIdOf(line) }
}

function activityOf(line: Omit<StreamedLine, 'cursor'>): Activity {
  const type = activityTypeOf(line.name)
  return {
    id: line.id,
    type,
    timestamp: line.createdAt,
    ...(line.contactId && { contactId: line.contactId }),
    ...(line.contactEmail && { contactEmail: line.contactEmail }),
    metadata:
      type === triggered
        ? { eventName: line.name, eventData: line.data }
        : { ...line.data, ...(line.emailId && { emailId: line.emailId }) },
  }
}
