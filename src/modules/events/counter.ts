import { perWorld, type World } from '../../kit/world.ts'
import { countNext, placeCounter } from './sql.ts'

const linesAtOnce = 5_000

const placed = perWorld(({ db }) => {
  let done: Promise<unknown> | undefined
  return () => {
    done ??= db.run(placeCounter, [])
    return done
  }
})

/**
 * Counts the next lines of the log into the daily counters; exact after any crash, and safe in any number of processes.
 *
 * @returns whether there may be more to count
 */
export async function countLog(world: World): Promise<boolean> {
  await placed(world)()
  const [counted] = await world.db.run(countNext, [linesAtOnce])
  return counted?.count === linesAtOnce
}
