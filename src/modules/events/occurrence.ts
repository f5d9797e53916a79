import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { findOccurrence, selectLine } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** An event of a contact, and when it has to happen: both ends of the period belong to it. */
export interface Occurrence {
  contactId: string
  name: string
  from: Date
  to: Date | null
  /** An event that is none of them. */
  except: string | null
}

/** The first event of a contact with a name in a period: its id, or null when there is none in the log yet. */
export async function findFirstEvent({ db, projectId }: Call, { contactId, name, from, to, except }: Occurrence): Promise<string | null> {
  const [found] = await db.run(findOccurrence, [projectId, contactId, name, lowestId('event', from), from, to, except])
  return found?.id ?? null
}

/** The data of an event, and when it happened; null when it was deleted. */
export async function getEventData({ db, projectId }: Call, { id }: { id: string }): Promise<{ data: unknown; createdAt: Date } | null> {
  return (await db.run(selectLine, [projectId, id]))[0] ?? null
}
