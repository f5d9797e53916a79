import { lowestId } from '../../../kit/ids.ts'
import { type Place, walkProjects } from '../../../kit/walk.ts'
import type { World } from '../../../kit/world.ts'
import { logRetentionQueue } from '../shapes.ts'
import { findProjectWithOldLines, removeOldLines } from './sql.ts'

const linesPerBatch = 5_000
// A batch takes a fraction of a second, and a job may take 5 minutes.
const batchesPerJob = 500

/**
 * Removes lines of the log that are older than LOG_RETENTION_MONTHS, in batches that each commit; the counters keep what was
 * counted. Stays behind the readers of the log, and keeps the lines by which contacts have opted out. Queues the rest when
 * there is a lot to remove; safe to run again.
 */
export async function removeOldEvents(
  world: Pick<World, 'db' | 'clock' | 'config' | 'jobs' | 'log' | 'closing'>,
  from: Place,
): Promise<void> {
  const { db, log, config } = world
  if (config.LOG_RETENTION_MONTHS === undefined) return
  const before = lowestId('event', monthsBefore(world.clock.now(), config.LOG_RETENTION_MONTHS))
  let removed = 0
  const rest = await walkProjects(
    from,
    {
      maxSteps: batchesPerJob,
      findNext: async (projectId) => (await db.run(findProjectWithOldLines, [projectId, before]))[0]?.id,
      async step(projectId, after) {
        const [batch] = await db.run(removeOldLines, [projectId, after, before, linesPerBatch])
        removed += batch?.removed ?? 0
        return batch?.upTo ?? null
      },
    },
    world.closing,
  )
  if (removed > 0) log.info({ removed }, 'events: old lines of the log were removed')
  if (rest) await world.jobs.enqueue(logRetentionQueue, rest)
}

// The same day and time some months ago, or the last day of that month.
function monthsBefore(now: Date, months: number): Date {
  const at = new Date(now)
  at.setUTCMonth(at.getUTCMonth() - months)
  if (at.getUTCDate() !== now.getUTCDate()) at.setUTCDate(0)
  return at
}
