import type { Ctx } from '../../kit/context.ts'
import { countFiltered } from '../../kit/postgres/totals.ts'
import { isUnused, listUsesOfEvent, type Uses } from '../filters/usage.ts'
import { countVisibleOfName } from './counter/sql.ts'
import { isReservedEventName } from './events.ts'
import { contactsOfEvent } from './summary/sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** What uses an event, and how often it happened. */
export type EventUsage = Uses & { totalCount: number; uniqueContacts: number; canDelete: boolean }

/**
 * What uses an event, how often it happened, and to how many contacts: these exact up to 100,000, above that at most 60 s old, and
 * 2 s behind the log. Events can be deleted when nothing uses them and their name is not one that the platform writes itself.
 */
export async function getEventUsage(ctx: Call, { eventName }: { eventName: string }): Promise<EventUsage> {
  const { world, db, projectId } = ctx
  const [uses, [counted], uniqueContacts] = await Promise.all([
    listUsesOfEvent(ctx, eventName),
    db.lists.run(countVisibleOfName, [projectId, eventName]),
    countFiltered({ world, db }, contactsOfEvent, projectId, { name: eventName }),
  ])
  return { ...uses, totalCount: counted?.count ?? 0, uniqueContacts, canDelete: !isReservedEventName(eventName) && isUnused(uses) }
}
