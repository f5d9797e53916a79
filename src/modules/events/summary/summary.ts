import type { Database } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogReader, pauseReader, rangeParameters } from '../reader/reader.ts'
import { removeSomeOfName, summariseRange } from './sql.ts'

const contactsPerBatch = 5_000

/** Keeps when each event last happened to each contact, so that filters need not read the log. */
export const contactEventsReader: LogReader = {
  name: 'contact-events',
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(summariseRange, rangeParameters(range))
  },
}

/**
 * Summarises the next lines of the log; exact after any crash, and safe in any number of processes. What was summarised stays
 * when LOG_RETENTION_MONTHS removes the lines.
 *
 * @returns whether there may be more to summarise
 */
export async function summariseLog(world: World): Promise<boolean> {
  return advanceReader(world, contactEventsReader)
}

/**
 * Removes the summaries of a name whose lines up to `before` are being erased, in batches that each commit; those of contacts
 * to whom it has happened since stay.
 */
export async function forgetName(db: Database, projectId: string, { name, before }: { name: string; before: string }): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const last: string = after
    after = await db.transaction(async (tx) => {
      // A batch of the reader that began before the erasure would store lines that are erased; later ones leave them out.
      await pauseReader(tx, contactEventsReader)
      return (await tx.run(removeSomeOfName, [projectId, name, before, last, contactsPerBatch]))[0]?.upTo ?? null
    })
  }
}
