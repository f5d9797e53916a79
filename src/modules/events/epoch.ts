import type { World } from '../../kit/world.ts'
import { raiseEpochDefault, readEpoch } from './sql.ts'

/**
 * Makes the log readable after a dump was restored into another cluster: lines whose transaction ids lie in that
 * cluster's future would stay invisible, so what is written from now on begins a new epoch, and the old one counts as
 * settled. Call it once at start, after migrating and before anything writes; safe in several processes at once.
 *
 * @returns the epoch lines are written in
 */
export async function raiseEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  await db.run(raiseEpochDefault, [])
  return currentEpoch({ db })
}

/** The epoch lines are written in at present. */
export async function currentEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  const [row] = await db.run(readEpoch, [])
  return row?.epoch ?? 1
}
