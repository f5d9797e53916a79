import type { Ctx } from '../../../kit/context.ts'
import { cutText } from '../../../kit/cut.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { appendEvents } from '../../events/log.ts'

/** What the events of a segment are named after; `slug` is null where an older version of this server has made it. */
export interface Named {
  id: string
  name: string
  slug: string | null
}

/** Contacts that entered or left a segment, as its name is now. */
interface Moves {
  projectId: string
  segment: Named
  kind: 'entry' | 'exit'
  contactIds: string[]
}

/**
 * Writes a line of the log, `segment.<slug>.entry` or `segment.<slug>.exit`, for each contact that entered or left a segment, in
 * the transaction that changes the membership.
 */
export async function logMoves(
  { clock, notices }: Pick<Ctx, 'clock' | 'notices'>,
  tx: Transaction,
  { projectId, segment, kind, contactIds }: Moves,
): Promise<void> {
  if (contactIds.length === 0) return
  const name = eventOf(segment, kind)
  const data = { segmentId: segment.id, segmentName: segment.name }
  await appendEvents(tx, { notices }, { projectId, at: clock.now(), lines: contactIds.map((contactId) => ({ name, contactId, data })) })
}

/** The name of the event that is logged for each contact that enters or leaves a segment. */
export function eventOf(segment: Named, kind: 'entry' | 'exit'): string {
  return `segment.${segment.slug ?? slugBefore(segment)}.${kind}`
}

const maxSlug = 100

/**
 * What the events of a segment are named after if no other segment has the same: its name in lower case, with only letters, digits and
 * underscores, and hyphens for spaces, up to 100 characters; its id when nothing is left of the name.
 */
export function slugOf({ id, name }: Pick<Named, 'id' | 'name'>): string {
  return cutText(slugFrom(name.normalize('NFC'), /[^\p{L}\p{M}\p{N}_\s-]/gu), maxSlug) || id
}

/** The same as an older version of this server has named events: only Latin letters stayed. */
export function slugBefore({ id, name }: Pick<Named, 'id' | 'name'>): string {
  return slugFrom(name, /[^\w\s-]/g) || id
}

function slugFrom(name: string, dropped: RegExp): string {
  return name
    .toLowerCase()
    .trim()
    .replace(dropped, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** The slug of a segment beside others of its project: with the next number where one of them has it, `vip-2`. */
export function freeSlug(segment: Pick<Named, 'id' | 'name'>, others: readonly Named[], wanted = slugOf(segment)): string {
  const taken = new Set(others.map((other) => other.slug ?? slugBefore(other)))
  let slug = wanted
  for (let n = 2; taken.has(slug); n++) slug = `${wanted}-${n}`
  return slug
}
