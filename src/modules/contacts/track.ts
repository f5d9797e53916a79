import { type Ctx, ownersOf } from '../../kit/context.ts'
import { invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Json } from '../../kit/shapes.ts'
import { isLikeReservedEventName } from '../events/events.ts'
import { announceEvents } from '../events/log.ts'
import type { Event } from '../events/shapes.ts'
import { type AnswerKey, answersParameter, once } from '../idempotency/once.ts'
import { sortData } from './data.ts'
import type { EventDraft, TrackDraft, TrackResult } from './shapes.ts'
import { recordLine } from './sql.ts'
import { writeContactId } from './write.ts'

/**
 * Records an event of a contact and merges `data` into the contact, which is created when its address is new. Fails with
 * VALIDATION_ERROR for names of events that the platform writes itself (`reserved_event`) and for data that would pass a
 * bound of stored data.
 */
export async function trackEvent(ctx: Ctx, draft: TrackDraft): Promise<TrackResult> {
  const revive = (stored: TrackResult): TrackResult => ({ ...stored, timestamp: new Date(stored.timestamp) })
  const result = await once(ctx, (key) => track(ctx, draft, key), revive)
  announceEvents(ctx, ctx.projectId)
  return result
}

async function track(ctx: Ctx, draft: TrackDraft, key: AnswerKey | undefined): Promise<TrackResult> {
  const { world, clock, projectId, actor } = ctx
  refuseReserved('event', draft.event)
  const at = clock.now()
  const patch = sortData(draft.data as Record<string, Json> | undefined)
  const event = newId('event', at)
  const keyKind = actor.kind === 'key' ? actor.key : 'SECRET'
  const contact = await writeContactId(world, {
    projectId,
    email: draft.email,
    patch,
    subscribed: keyKind === 'PUBLIC' ? null : (draft.subscribed ?? null),
    subscribedIfNew: draft.subscribed ?? true,
    source: 'track',
    keyKind,
    at,
    owners: ownersOf(ctx),
    event: { id: event, name: draft.event, data: draft.data ? patch.scope : null, key },
  })
  return { contact, event, timestamp: at }
}

/**
 * Records an event in one of two forms: `{ email, event }` as /v1/track does, or `{ name, contactId? }`, which changes no
 * contact. Fails with CONTACT_NOT_FOUND for an unknown `contactId`.
 */
export async function recordEvent(ctx: Ctx, draft: EventDraft) {
  if ('email' in draft) return { success: true as const, data: await trackEvent(ctx, draft) }
  const revive = (stored: Event): Event => ({ ...stored, createdAt: new Date(stored.createdAt) })
  const recorded = await once(ctx, (key) => record(ctx, draft, key), revive)
  announceEvents(ctx, ctx.projectId)
  return recorded
}

async function record({ db, clock, projectId }: Ctx, draft: Exclude<EventDraft, TrackDraft>, key: AnswerKey | undefined): Promise<Event> {
  refuseReserved('name', draft.name)
  const createdAt = clock.now()
  const id = newId('event', createdAt)
  const data = draft.data ? sortData(draft.data as Record<string, Json>).scope : null
  const event = { id, name: draft.name, contactId: draft.contactId ?? null, emailId: null, data, createdAt }
  const answers = answersParameter(key ? [{ key, ref: id }] : [])
  const values = [projectId, event.contactId, id, event.name, data && JSON.stringify(data), createdAt, answers, JSON.stringify(event)]
  const recorded = await db.run(recordLine, values)
  if (recorded.length === 0) throw notFound('CONTACT_NOT_FOUND')
  return event
}

function refuseReserved(field: string, name: string): void {
  if (isLikeReservedEventName(name))
    throw invalid(field, `"${name}" is, or looks like, a name that only the platform itself may record; use another name`, 'reserved_event')
}
