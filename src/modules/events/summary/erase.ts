import type { ErasingDatabase } from '../../../kit/postgres/erase.ts'
import { pauseReader } from '../reader/reader.ts'
import { removeSomeOfProject } from './sql.ts'
import { contactEventsReader } from './summary.ts'

const rowsPerBatch = 5_000

/** Removes one batch of the summaries of a project whose lines are removed, after waiting for the reader; returns how many, 0 when none is left. */
export async function eraseSomeContactEvents({ db }: { db: ErasingDatabase }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, contactEventsReader)
    return (await tx.run(removeSomeOfProject, [projectId, rowsPerBatch]))[0]?.count ?? 0
  })
}
