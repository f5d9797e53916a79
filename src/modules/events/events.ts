import type { Prisma } from '../../generated/prisma/client.ts'
import { bodyLoader } from '../../kit/bodies.ts'
import type { Ctx } from '../../kit/context.ts'
import { invalid, maxAnswerBytes, notFound } from '../../kit/errors.ts'
import { idRange, lowestId, newId } from '../../kit/ids.ts'
import { JsonText } from '../../kit/json-text.ts'
import { loader, type ReadingAlone } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdList, loadRows, readConnection, readPage } from '../../kit/paging.ts'
import { readSlice } from '../../kit/postgres/list.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { countFiltered, isFiltered } from '../../kit/postgres/totals.ts'
import { recordRemoval } from '../filters/removals/removals.ts'
import { forgetCounts } from './counter/names.ts'
import { compareNames, countVisible } from './counter/sql.ts'
import { insertNameErasure } from './erasure/sql.ts'
import { type EventFilter, type EventSearch, eraseEventNameQueue, freeEventName } from './shapes.ts'
import { type EventRow, eventListSql, findNewestOfName, findVisibleContact, selectEventData } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** The columns of an event that GraphQL returns, without its data, which may have a megabyte. */
export const eventColumns = { id: true, name: true, contactId: true, emailId: true, createdAt: true } as const

/** The events of the project, newest first, filtered by name, contact and time. A page may be shorter while events are being removed. */
function eventList({ world, db, projectId }: Call, { name, contactId, createdFrom: from, createdTo: to }: EventFilter): IdList<EventRow> {
  const filter = { name, contactId, from, to, ...idRange('event', from, to) }
  return {
    kind: 'event',
    read: (window) => readSlice(db, eventListSql, projectId, filter, window),
    count: () =>
      isFiltered(filter) ? countFiltered({ world, db }, eventListSql, projectId, filter) : countVisibleEvents({ db, projectId }),
  }
}

/** How many events the project has, of which those that are being removed do not count; exact. */
export async function countVisibleEvents({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<number> {
  return (await db.lists.run(countVisible, [projectId]))[0]?.count ?? 0
}

/** A page of the events of the project, newest first, filtered by name, contact and time. */
export async function listEvents(ctx: Call, { eventName: name, contactId, from: createdFrom, to: createdTo, ...page }: EventSearch) {
  const found = await readPage(eventList(ctx, { name, contactId, createdFrom, createdTo }), page)
  return { ...found, events: found.data }
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectEvents(ctx: Call, filter: EventFilter, args: ConnectionArgs, query: object): Promise<Connection<Row>> {
  const { db, projectId } = ctx
  const list = eventList(ctx, filter)
  const load = (ids: string[]) => db.prisma.event.findMany({ ...query, where: { projectId, id: { in: ids } } }) as Promise<Row[]>
  return readConnection({ ...list, read: async (window) => loadRows(await list.read(window), load) }, args)
}

type Row = Prisma.EventGetPayload<{ select: typeof eventColumns }>

/** The condition that finds one event with Prisma; events of a deleted contact are not found. */
export function visibleEvent(projectId: string, id: string) {
  return { projectId_id: { projectId, id }, NOT: { contact: { deletedAt: { not: null } } } }
}

/** One event, or null when there is none; parallel lookups are read in one statement. */
export const findEvent = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.event.findMany({ ...query, where: { projectId, id: { in: ids }, NOT: { contact: { deletedAt: { not: null } } } } }),
)

const loadData = bodyLoader({ select: selectEventData, maxBytes: maxAnswerBytes })

/**
 * The data of an event, or null for none. Of the events that a call asks for at once the first 32 MB are read, as much as an answer may
 * have. Fails with PAYLOAD_TOO_LARGE for the others.
 */
export async function findEventData(ctx: ReadingAlone, event: { id: string; data?: unknown }): Promise<unknown> {
  if (event.data !== undefined) return event.data
  const json = await loadData(ctx, event)
  return json === null ? null : new JsonText(json)
}

/** The events of one contact, newest first. Fails with CONTACT_NOT_FOUND. */
export async function listContactEvents(ctx: Call, search: Pick<EventSearch, 'limit' | 'cursor'> & { contactId: string }) {
  const found = await ctx.db.run(findVisibleContact, [ctx.projectId, search.contactId])
  if (found.length === 0) throw notFound('CONTACT_NOT_FOUND')
  return listEvents(ctx, search)
}

/** Which events to compare: on the UTC days from `firstDay` to `lastDay`, and on those from `dayBefore` up to the first one. */
export interface Comparison {
  dayBefore: string
  firstDay: string
  lastDay: string
  /** Only events that callers track, without those that the platform writes itself. */
  tracked: boolean
  limit: number
}

/** The most frequent events of a range of days, with how often they happened before; at most 2 s behind the log. */
export async function compareEvents(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { dayBefore, firstDay, lastDay, tracked, limit }: Comparison,
) {
  const values = [projectId, dayBefore, firstDay, lastDay, tracked ? freeEventName.source : null, limit]
  return scanned(db.scans.run(compareNames, values), 'Counting the events by name took longer than 15 s.')
}

/** Whether a name is reserved for events that the platform itself writes: those can be neither tracked nor deleted. */
export function isReservedEventName(name: string): boolean {
  return !freeEventName.test(name)
}

/** Whether people would read a name as a reserved one: in whatever case, with spaces around it. */
export function isLikeReservedEventName(name: string): boolean {
  return isReservedEventName(name.trim().toLowerCase())
}

/**
 * Deletes every event with a name: hidden at once, removed in the background. Fails with VALIDATION_ERROR for a reserved
 * name.
 */
export async function deleteEventName({ world, db, jobs, clock, projectId }: Ctx, { eventName }: { eventName: string }) {
  if (isReservedEventName(eventName))
    throw invalid('eventName', `"${eventName}" is written by the platform itself and cannot be deleted`, 'reserved_event')
  const now = clock.now()
  return db.transaction(async (tx) => {
    const [found] = await tx.run(findNewestOfName, [projectId, eventName, lowestId('event', now)])
    if (!found?.id) return { deletedCount: 0 }
    await recordRemoval(tx, { projectId, field: `event.${eventName}`, at: clock.now() })
    tx.afterCommit(() => forgetCounts({ world, projectId }))
    const [erasure] = await tx.run(insertNameErasure, [projectId, newId('erasure', now), eventName, found.id, now])
    if (erasure) await jobs.enqueue(eraseEventNameQueue, { projectId, erasureId: erasure.id }, tx)
    return { deletedCount: found.count }
  })
}
