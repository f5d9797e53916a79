import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { invalid, notFound } from '../../kit/errors.ts'
import { idRange, newId } from '../../kit/ids.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdList, loadRows, readConnection, readPage } from '../../kit/paging.ts'
import { countRows, readSlice } from '../../kit/postgres/list.ts'
import { type EventFilter, type EventSearch, eraseQueue } from './shapes.ts'
import { countNames, type EventRow, findContact, lines, newestOfName, noteName } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** The columns GraphQL shows of an event. */
export const eventColumns = { id: true, name: true, contactId: true, emailId: true, data: true, createdAt: true } as const

/** The events of the project, newest first, by name, contact and time. While some are being removed a page may be shorter. */
function eventList({ db, projectId }: Call, { name, contactId, from, to }: EventFilter): IdList<EventRow> {
  const filter = { name, contactId, from, to, ...idRange('event', from, to) }
  return {
    kind: 'event',
    read: (window) => readSlice(db, lines, projectId, filter, window),
    count: () => countRows(db, lines, projectId, filter),
  }
}

/** A page of the events of the project, newest first, by name, contact and time. */
export async function listEvents(ctx: Call, { eventName, ...search }: EventSearch) {
  const found = await readPage(eventList(ctx, { ...search, name: eventName }), search)
  return { ...found, events: found.data }
}

/** The same list as a connection, with what a GraphQL query selects of its nodes. */
export async function connectEvents(ctx: Call, filter: EventFilter, args: ConnectionArgs, query: object): Promise<Connection<Row>> {
  const { db, projectId } = ctx
  const list = eventList(ctx, filter)
  const load = (ids: string[]) => db.prisma.event.findMany({ ...query, where: { projectId, id: { in: ids } } }) as Promise<Row[]>
  return readConnection({ ...list, read: async (window) => loadRows(await list.read(window), load) }, args)
}

type Row = Prisma.EventGetPayload<{ select: typeof eventColumns }>

/** What finds one event for Prisma; those of a deleted contact are gone. */
export function visibleEvent(projectId: string, id: string) {
  return { projectId_id: { projectId, id }, NOT: { contact: { deletedAt: { not: null } } } }
}

/** One event, or null when there is none; many asked at once are read in one statement. */
export const findEvent = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.event.findMany({ ...query, where: { projectId, id: { in: ids }, NOT: { contact: { deletedAt: { not: null } } } } }),
)

/** The events of one contact, newest first. Fails with CONTACT_NOT_FOUND. */
export async function listContactEvents(ctx: Call, search: Pick<EventSearch, 'limit' | 'cursor'> & { contactId: string }) {
  const found = await ctx.db.run(findContact, [ctx.projectId, search.contactId])
  if (found.length === 0) throw notFound('CONTACT_NOT_FOUND')
  return listEvents(ctx, search)
}

/** How often each event happened in the days from `startDate` to `endDate` (UTC, both included); at most 2 s behind. */
export async function countEvents(
  { db, projectId }: Call,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
) {
  return db.run(countNames, [projectId, startDate ?? null, endDate ?? null])
}

/** The names of all events that happened in the project, most frequent first, at most 1,000. */
export async function listEventNames(ctx: Call) {
  const eventNames = (await countEvents(ctx, {})).map(({ name }) => name)
  return { eventNames, data: eventNames }
}

/** Whether a name belongs to events the platform itself writes; those cannot be tracked or deleted. */
export function isReservedName(name: string): boolean {
  return /^(email|campaign|workflow)\./.test(name) || /^contact\.(un)?subscribed$/.test(name) || /^segment\..*\.(entry|exit)$/.test(name)
}

/**
 * Deletes every event of a name: gone from reads at once, removed in the background. Fails with VALIDATION_ERROR for a
 * reserved name.
 */
export async function deleteEventName({ db, jobs, clock, projectId }: Ctx, { eventName }: { eventName: string }) {
  if (isReservedName(eventName))
    throw invalid('eventName', `"${eventName}" is written by the platform itself and cannot be deleted`, 'reserved_event')
  const now = clock.now()
  return db.transaction(async (tx) => {
    const [found] = await tx.run(newestOfName, [projectId, eventName])
    if (!found?.id) return { deletedCount: 0 }
    const [noted] = await tx.run(noteName, [projectId, newId('erasure', now), eventName, found.id, now])
    if (noted) await jobs.enqueue(eraseQueue, { projectId, erasureId: noted.id }, tx)
    return { deletedCount: found.count }
  })
}
