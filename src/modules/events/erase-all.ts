import { type Database, statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/** Removes one batch of a project's log lines; answers how many, 0 when none is left. */
export const eraseSomeEvents = eraser('events', 'id', 5_000)

const holdCounter = statement<object>('events_hold_counter', `select 1 from log_readers where reader = 'counts' for update`, {
  allProjects: 'one counter reads the whole log',
})
const removeCounts = statement<{ count: number }>(
  'events_remove_counts',
  `with gone as (delete from event_counts where project_id = $1 returning name),
   ended as (delete from event_erasures where project_id = $1)
   select count(*)::int as count from gone`,
)

/** Removes the counters of a project whose lines are gone; answers how many. What the counter was about to add is waited for. */
export async function eraseEventCounts({ db }: { db: Database }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.run(holdCounter, [])
    return (await tx.run(removeCounts, [projectId]))[0]?.count ?? 0
  })
}
