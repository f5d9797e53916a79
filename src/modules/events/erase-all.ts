import type { Database } from '../../kit/postgres/db.ts'
import { holdCounter, removeCounts } from './sql.ts'

/** Removes the counters of a project whose lines are gone; answers how many. What the counter was about to add is waited for. */
export async function eraseEventCounts({ db }: { db: Database }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(holdCounter, [])
    return (await tx.run(removeCounts, [projectId]))[0]?.count ?? 0
  })
}
