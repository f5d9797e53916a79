import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogReader, rangeParameters } from '../reader/reader.ts'
import { countsReader } from '../reader/sql.ts'
import { countRange } from './sql.ts'

/** Adds every line to the daily counters. */
export const eventCounter: LogReader = {
  name: countsReader,
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(countRange, rangeParameters(range))
  },
}

/**
 * Adds the next lines of the log to the daily counters; exact after any crash, and safe in any number of processes.
 *
 * @returns whether there may be more to count
 */
export async function countLog(world: World): Promise<boolean> {
  return advanceReader(world, eventCounter)
}
