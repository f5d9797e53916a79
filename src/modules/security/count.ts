import type { World } from '../../kit/world.ts'
import { advanceReader, type LogReader, rangeParameters } from '../events/reader/reader.ts'
import { countReputations, dropHours } from './sql.ts'

const maxAgeMs = 9 * 86_400_000

/** Adds every line to the reputation of its project. */
export const reputationReader: LogReader = {
  name: 'reputation',
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(countReputations, rangeParameters(range))
  },
}

/**
 * Adds the next lines of the log to the reputations of the projects; exact after any crash, safe in any number of
 * processes.
 *
 * @returns whether there may be more to count
 */
export async function countReputation(world: World): Promise<boolean> {
  return advanceReader(world, reputationReader)
}

/** Removes hourly counts that are older than every window. */
export async function removeOldHours({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropHours, [new Date(clock.now().getTime() - maxAgeMs)])
}
