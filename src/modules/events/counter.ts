import { perWorld, type World } from '../../kit/world.ts'
import { currentEpoch } from './epoch.ts'
import { countNext, placeCounter } from './sql.ts'

const linesAtOnce = 5_000

const placed = perWorld(({ db }) => {
  let epoch: number | undefined
  return async (): Promise<number> => {
    if (epoch !== undefined) return epoch
    await db.run(placeCounter, [])
    epoch = await currentEpoch({ db })
    return epoch
  }
})

/**
 * Counts the next lines of the log into the daily counters; exact after any crash, and safe in any number of processes.
 *
 * @returns whether there may be more to count
 */
export async function countLog(world: World): Promise<boolean> {
  const epoch = await placed(world)()
  const [counted] = await world.db.run(countNext, [linesAtOnce, epoch])
  return counted?.count === linesAtOnce
}
