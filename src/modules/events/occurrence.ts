import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { findOccurrence, selectLine } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** Where the log was at some moment: which transactions had ended (a pg_snapshot), and the epoch. What the others write comes after it. */
export interface LogMoment {
  epoch: number
  snapshot: string
}

/** An event of a contact, and when it has to happen: both ends of the period belong to it. */
export interface Occurrence {
  contactId: string
  name: string
  /** When the period begins, and where the log was then: that decides, because clocks differ. Null: the time decides. */
  from: Date
  since: LogMoment | null
  to: Date | null
  /** An event that is none of them. */
  except: string | null
}

// The ids of events are read from the clock of the machine that wrote them.
const maxSkewMs = 3_600_000

/** The first event of a contact with a name in a period: its id, or null when there is none in the log yet. */
export async function findFirstEvent({ db, projectId }: Call, occurrence: Occurrence): Promise<string | null> {
  const { contactId, name, from, since, to, except } = occurrence
  const lowest = lowestId('event', since ? new Date(from.getTime() - maxSkewMs) : from)
  const values = [projectId, contactId, name, lowest, from, to, except, since?.epoch ?? null, since?.snapshot ?? null]
  const [found] = await db.run(findOccurrence, values)
  return found?.id ?? null
}

/** The data of an event, and when it happened; null when it was deleted. */
export async function getEventData({ db, projectId }: Call, { id }: { id: string }): Promise<{ data: unknown; createdAt: Date } | null> {
  return (await db.run(selectLine, [projectId, id]))[0] ?? null
}
