import type { Ctx } from '../../kit/context.ts'
import { invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { isReservedEventName } from '../events/events.ts'
import { announceEvents, appendEvents } from '../events/log.ts'
import { once } from '../idempotency/once.ts'
import { type Json, sortData } from './data.ts'
import type { EventDraft, TrackDraft, TrackResult } from './shapes.ts'
import { recordOfContact } from './sql.ts'
import { type ContactWrite, writeAllIds, writeContactId } from './write.ts'

/**
 * Records an event for a contact, which is created when it is new, and merges `data` into it. Fails with
 * VALIDATION_ERROR (`reserved_event`) for names the platform writes itself.
 */
export async function trackEvent(ctx: Ctx, draft: TrackDraft): Promise<TrackResult> {
  const { world, clock, projectId, actor } = ctx
  refuseReserved('event', draft.event)
  const at = clock.now()
  const patch = sortData(draft.data as Record<string, Json> | undefined)
  const eventId = newId('event', at)
  const publicKey = actor.kind === 'key' && actor.key === 'PUBLIC'
  const write: ContactWrite = {
    projectId,
    email: draft.email,
    patch,
    subscribed: publicKey ? null : (draft.subscribed ?? null),
    subscribedIfNew: draft.subscribed ?? true,
    source: 'track',
    at,
    event: { id: eventId, name: draft.event, data: draft.data ? patch.scope : null },
  }
  const work = async (on: Executor | undefined): Promise<TrackResult> => {
    const [contact = ''] = on ? await writeAllIds(on, [write]) : [await writeContactId(world, write)]
    return { contact, event: eventId, timestamp: at }
  }
  const result = await once(ctx, work, (kept) => ({ ...kept, timestamp: new Date(kept.timestamp) }))
  announceEvents(ctx, projectId)
  return result
}

/**
 * Records an event in either form: `{ email, event }` as /v1/track does, or `{ name, contactId }` for a contact known by
 * id, or none, which changes no contact. Fails with CONTACT_NOT_FOUND.
 */
export async function recordEvent(ctx: Ctx, draft: EventDraft) {
  if ('email' in draft) return { success: true as const, data: await trackEvent(ctx, draft) }
  const { db, clock, projectId } = ctx
  refuseReserved('name', draft.name)
  const createdAt = clock.now()
  const data = draft.data ? sortData(draft.data as Record<string, Json>).scope : null
  const line = { name: draft.name, contactId: draft.contactId ?? null, data }
  const id = await recordLine({ db, projectId }, createdAt, line)
  announceEvents(ctx, projectId)
  return { ...line, id, emailId: null, createdAt }
}

type Line = { name: string; contactId: string | null; data: object | null }

// Of a contact it is found and written in one statement: a line must not come after its contact is deleted.
async function recordLine({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, at: Date, line: Line): Promise<string> {
  const { name, contactId, data } = line
  if (contactId === null) return (await appendEvents(db, projectId, at, [line]))[0] ?? ''
  const values = [projectId, contactId, newId('event', at), name, data && JSON.stringify(data), at]
  const [recorded] = await db.run(recordOfContact, values)
  if (!recorded) throw notFound('CONTACT_NOT_FOUND')
  return recorded.id
}

function refuseReserved(field: string, name: string): void {
  if (isReservedEventName(name)) throw invalid(field, `"${name}" is written by the platform itself; track another name`, 'reserved_event')
}
