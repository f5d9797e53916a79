import type { World } from '../../kit/world.ts'
import { advanceReader, type LogReader, rangeParameters } from '../events/reader/reader.ts'
import { monthsStored } from './shapes.ts'
import { countQuarters, removeOldQuarters } from './sql.ts'

const quartersPerBatch = 5_000

/** Adds every line about an email to the quarter of an hour in which it was logged. */
export const analyticsReader: LogReader = {
  name: 'analytics',
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(countQuarters, rangeParameters(range))
  },
}

/** Adds the next lines of the log to the counts by time; exact after any crash, safe in any number of processes. Returns whether there may be more. */
export async function countAnalytics(world: World): Promise<boolean> {
  return advanceReader(world, analyticsReader)
}

/** Removes counts from before the 25 months that are stored, in batches. Returns whether there may be more. */
export async function removeOldCounts({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<boolean> {
  const before = new Date(clock.now())
  before.setUTCMonth(before.getUTCMonth() - monthsStored)
  return (await db.run(removeOldQuarters, [before, quartersPerBatch]))[0]?.count === quartersPerBatch
}
