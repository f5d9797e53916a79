import type { World } from '../../kit/world.ts'
import { raiseEpochDefault, readEpoch } from './sql.ts'

/**
 * Makes the log readable after a dump was restored into another cluster. Lines whose transaction ids lie in the future of
 * that cluster would stay invisible; therefore a new epoch begins, and lines of earlier epochs count as settled. Call it
 * once at start, after migrating and before anything writes; safe in several processes at once.
 *
 * @returns the epoch in which lines are written from now on
 */
export async function raiseEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  await db.run(raiseEpochDefault, [])
  return currentEpoch({ db })
}

/** The epoch in which lines are written at present. */
export async function currentEpoch({ db }: Pick<World, 'db'>): Promise<number> {
  const [row] = await db.run(readEpoch, [])
  return row?.epoch ?? 1
}
