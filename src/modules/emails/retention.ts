import { lowestId } from '../../kit/ids.ts'
import { type Place, walkProjects } from '../../kit/walk.ts'
import type { World } from '../../kit/world.ts'
import { contentRetentionQueue } from './shapes.ts'
import { contentsPerBatch, detachOldContents, findProjectWithContents, removeOldCaptured, removeUnusedContents } from './sql.ts'

type Work = Pick<World, 'db' | 'clock' | 'config' | 'jobs' | 'closing'>

const emailsPerBatch = 5_000
// A batch takes a fraction of a second, and a job may take 5 minutes.
const batchesPerJob = 500
const dayMs = 86_400_000

/**
 * Removes contents with their attachments, and captured emails, that are older than CONTENT_RETENTION_DAYS once all emails
 * with that content have ended; the emails stay. Contents that no email refers to go a day after they were made, also
 * without that setting. Works in batches that each commit, and queues the rest when there is a lot; safe to run again.
 */
export async function removeOldContents(world: Work, from: Place): Promise<void> {
  const { db, closing } = world
  const bounds = boundsOf(world)
  await removeCaptured(world, bounds.captured)
  const rest = await walkProjects(
    from,
    {
      maxSteps: batchesPerJob,
      findNext: async (projectId) => (await db.run(findProjectWithContents, [projectId, bounds.unused]))[0]?.id,
      step: (projectId, after) => removeSome(world, bounds, { projectId, after }),
    },
    closing,
  )
  if (rest) await world.jobs.enqueue(contentRetentionQueue, rest)
}

/** Everything with a lower id is old. Without the setting nothing is: no id is lower than the empty text. */
interface Bounds {
  content: string
  email: string
  captured: string
  unused: string
}

function boundsOf({ clock, config }: Pick<World, 'clock' | 'config'>): Bounds {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  const unused = lowestId('content', daysAgo(1))
  const days = config.CONTENT_RETENTION_DAYS
  if (days === undefined) return { content: '', email: '', captured: '', unused }
  const at = daysAgo(days)
  return { content: lowestId('content', at), email: lowestId('email', at), captured: lowestId('capturedMail', at), unused }
}

async function removeSome({ db }: Work, { content, email, unused }: Bounds, { projectId, after }: Place): Promise<string | null> {
  const [batch] = await db.run(detachOldContents, [projectId, after, unused, contentsPerBatch, content, email, emailsPerBatch])
  if (!batch?.upTo) return null
  // A content with very many emails takes several turns.
  if (batch.detached === emailsPerBatch) return after
  await db.run(removeUnusedContents, [projectId, after, batch.upTo])
  return batch.upTo
}

async function removeCaptured({ db, closing }: Work, before: string): Promise<void> {
  for (let more = before !== ''; more && !closing.aborted; ) {
    more = (await db.run(removeOldCaptured, [before, contentsPerBatch]))[0]?.count === contentsPerBatch
  }
}
