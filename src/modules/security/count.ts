import { perWorld, type World } from '../../kit/world.ts'
import { currentEpoch } from '../events/epoch.ts'
import { countReputations, dropHours, placeReader } from './sql.ts'

const linesAtOnce = 5_000
const keptMs = 9 * 86_400_000

const placed = perWorld(({ db }) => {
  let epoch: number | undefined
  return async (): Promise<number> => {
    if (epoch !== undefined) return epoch
    await db.run(placeReader, [])
    epoch = await currentEpoch({ db })
    return epoch
  }
})

/**
 * Counts the next lines of the log into the reputations of the projects; exact after any crash, safe in any number of
 * processes.
 *
 * @returns whether there may be more to count
 */
export async function countReputation(world: World): Promise<boolean> {
  const epoch = await placed(world)()
  const [counted] = await world.db.run(countReputations, [linesAtOnce, epoch])
  return counted?.count === linesAtOnce
}

/** Forgets the hours no window reaches any more. */
export async function forgetHours({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropHours, [new Date(clock.now().getTime() - keptMs)])
}
