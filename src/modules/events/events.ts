import type { Ctx } from '../../kit/context.ts'
import { invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { pageById } from '../../kit/paging.ts'
import { type EventSearch, eraseQueue } from './shapes.ts'
import { countLines, countNames, type EventRow, findContact, type LineFilter, listLines, newestOfName, noteErasure } from './sql.ts'

// Above every id: the first page starts here.
const newest = 'f'

/** The events of the project, newest first, by name, contact and time. */
export async function listEvents({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, search: EventSearch) {
  const filter: LineFilter = { name: search.eventName, contactId: search.contactId, from: search.from, to: search.to }
  const found = await pageById<EventRow>(
    'event',
    search,
    (below, take) => db.run(...listLines(projectId, filter, below ?? newest, take)),
    async () => (await db.run(...countLines(projectId, filter)))[0]?.count ?? 0,
  )
  return { ...found, events: found.data }
}

/** The events of one contact, newest first. Fails with CONTACT_NOT_FOUND. */
export async function listContactEvents(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  search: Pick<EventSearch, 'limit' | 'cursor'> & { contactId: string },
) {
  const there = await db.run(findContact, [projectId, search.contactId])
  if (there.length === 0) throw notFound('CONTACT_NOT_FOUND')
  return listEvents({ db, projectId }, search)
}

/** How often each event happened in the days from `startDate` to `endDate` (UTC, both included); at most 2 s behind. */
export async function countEvents(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
) {
  return db.run(countNames, [projectId, startDate ?? null, endDate ?? null])
}

/** The names of all events that happened in the project, most frequent first, at most 1,000. */
export async function listEventNames(ctx: Pick<Ctx, 'db' | 'projectId'>) {
  const eventNames = (await countEvents(ctx, {})).map(({ name }) => name)
  return { eventNames, data: eventNames }
}

/** Whether a name belongs to events the platform itself writes ([6]); those cannot be tracked or deleted. */
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
    const erasureId = newId('erasure', now)
    await tx.run(noteErasure, [projectId, erasureId, null, eventName, found.id, now])
    await jobs.enqueue(eraseQueue, { projectId, erasureId }, tx)
    return { deletedCount: found.count }
  })
}
