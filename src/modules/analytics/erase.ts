import type { ErasingDatabase } from '../../kit/postgres/erase.ts'
import { pauseReader } from '../events/reader/reader.ts'
import { analyticsReader } from './count.ts'
import { removeSomeQuarters } from './sql.ts'

const quartersPerBatch = 5_000

/** Removes one batch of the counts of a project whose lines are removed, after waiting for the reader; returns how many, 0 when none is left. */
export async function eraseSomeQuarters({ db }: { db: ErasingDatabase }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, analyticsReader)
    return (await tx.run(removeSomeQuarters, [projectId, quartersPerBatch]))[0]?.count ?? 0
  })
}
