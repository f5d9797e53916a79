import type { Database } from '../../kit/postgres/db.ts'
import { eventCounter } from './counter.ts'
import { pauseReader } from './reader/reader.ts'
import { removeCounts } from './sql.ts'

/** Removes the counters of a project whose lines are removed, after waiting for a count under way; returns how many. */
export async function eraseEventCounts({ db }: { db: Database }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, eventCounter)
    return (await tx.run(removeCounts, [projectId]))[0]?.count ?? 0
  })
}
