import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { appendEvents } from '../../events/log.ts'

/** Contacts that entered or left a segment, as its name is now. */
interface Moves {
  projectId: string
  segment: { id: string; name: string }
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
  const name = `segment.${slugOf(segment)}.${kind}`
  const data = { segmentId: segment.id, segmentName: segment.name }
  await appendEvents(tx, { notices }, { projectId, at: clock.now(), lines: contactIds.map((contactId) => ({ name, contactId, data })) })
}

/**
 * What the events of a segment are named after: its name in lower case, with only Latin letters, digits and underscores, and
 * hyphens for spaces; its id when nothing is left of the name.
 */
export function slugOf({ id, name }: { id: string; name: string }): string {
  const slug = name
    .toLowerCase()
    .trim()
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return slug || id
}
