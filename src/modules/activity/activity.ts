import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { type Connection, type ConnectionArgs, connect, idWindow, pageById } from '../../kit/paging.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'
import type { Activity, ActivitySearch } from './shapes.ts'
import { type ActivityFilter, type ActivityRow, countFeed, readFeed } from './sql.ts'
import { activityTypes, askedTypes, namedEvents, triggered, typeOf } from './types.ts'

const minuteMs = 60_000

/** The feed of the project, newest first, by type, contact and time. */
export async function listActivity({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, search: ActivitySearch) {
  const filter = filterOf(search)
  const found = await pageById<ActivityRow>(
    'event',
    search,
    (below, take) => db.run(...readFeed(projectId, filter, { below, take })),
    async () => (await db.run(...countFeed(projectId, filter)))[0]?.count ?? 0,
  )
  return { ...found, data: found.data.map(activityOf) }
}

/** The feed as a connection, newest first; each item's cursor is its id, not a cursor of the live stream. */
export async function connectActivity(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  args: ConnectionArgs & ActivityQuery,
): Promise<Connection<LinkedActivity>> {
  const filter = filterOf(args)
  const { take, where, orderBy } = idWindow('event', args)
  const window = { below: where.id?.lt, above: where.id?.gt, take, oldestFirst: orderBy.id === 'asc' }
  const rows = await db.run(...readFeed(projectId, filter, window))
  return connect(rows.map(linkedActivityOf), args, async () => (await db.run(...countFeed(projectId, filter)))[0]?.count ?? 0)
}

/** Every type of the feed. */
export async function listActivityTypes() {
  return { types: [...activityTypes], data: [...activityTypes] }
}

/** How much happened in the last minutes; counted up to 100,000. */
export async function countRecentActivity(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { minutes }: { minutes: number },
) {
  const from = new Date(clock.now().getTime() - minutes * minuteMs)
  const [counted] = await db.run(...countFeed(projectId, { from, fromId: lowestId('event', from) }))
  return { count: counted?.count ?? 0, minutes }
}

/** What of the feed is asked for. */
interface ActivityQuery {
  types?: readonly string[] | null | undefined
  contactId?: string | null | undefined
  startDate?: Date | null | undefined
  endDate?: Date | null | undefined
}

function filterOf({ types, contactId, startDate, endDate }: ActivityQuery): ActivityFilter {
  const asked = askedTypes(types)
  return {
    contactId: contactId ?? undefined,
    from: startDate ?? undefined,
    fromId: startDate ? lowestId('event', startDate) : undefined,
    to: endDate ?? undefined,
    ...(asked && { names: asked.names }),
    ...(asked?.others && { notNamed: namedEvents }),
  }
}

/** Something that happened, with the id of the mail it is about, which leads to the mail itself. */
export type LinkedActivity = Activity & { emailId: string | null }

/** A line of the log with what it leads to. */
export function linkedActivityOf(line: Omit<StreamedLine, 'cursor'>): LinkedActivity {
  return { ...activityOf(line), emailId: line.emailId }
}

/** A line of the log as the feed tells it. */
function activityOf(line: Omit<StreamedLine, 'cursor'>): Activity {
  const type = typeOf(line.name)
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
