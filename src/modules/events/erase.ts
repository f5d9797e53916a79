import { newId } from '../../kit/ids.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { eraseQueue } from './shapes.ts'
import { type ErasureRow, endErasure, findErasure, noteContact, removeNewestOfContact, removeOfContact, removeOfName } from './sql.ts'

const linesAtOnce = 2_000
// With the deletion itself: more than nearly every contact has, and a few milliseconds.
const linesRemovedAtOnce = 1_000

/** What is to be removed: a contact's lines or a name's. */
export interface Erasure {
  projectId: string
  erasureId: string
}

/**
 * Takes the lines of a contact out of the log, in the transaction that marks the contact as deleted: reads pass them over
 * from then on, the newest 1,000 are removed at once. Answers the erasure that removes the rest.
 */
export async function hideContactEvents(
  tx: Executor,
  at: Date,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<string> {
  const erasureId = newId('erasure', at)
  await tx.run(noteContact, [projectId, erasureId, contactId, at])
  await tx.run(removeNewestOfContact, [projectId, contactId, linesRemovedAtOnce])
  return erasureId
}

/**
 * Removes the lines an erasure names, in batches that each commit, and ends it. Safe to run again after a crash.
 *
 * @returns null once it has ended; otherwise in how many seconds to run it again, because a transaction from before the
 * deletion is still open and may add a line
 */
export async function eraseEvents({ db, clock }: Pick<World, 'db' | 'clock'>, { projectId, erasureId }: Erasure): Promise<number | null> {
  for (let pass = 1; ; pass++) {
    const [erasure] = await db.run(findErasure, [projectId, erasureId])
    if (!erasure) return null
    // Whether it is settled was looked up before: all that committed until then is found by this pass.
    while (await removeSome(db, projectId, erasure));
    if (erasure.settled) await db.run(endErasure, [projectId, erasureId, erasure.before])
    else if (pass > 1) return secondsToWait(clock.now().getTime() - erasure.createdAt.getTime())
  }
}

/** Removes the lines of a name that was deleted, now or as soon as nothing can add to them. */
export async function eraseEventName(world: Pick<World, 'db' | 'clock' | 'jobs'>, erasure: Erasure): Promise<void> {
  const seconds = await eraseEvents(world, erasure)
  if (seconds !== null) await world.jobs.enqueueIn(seconds, eraseQueue, erasure)
}

// Transactions end within milliseconds; one that does not, such as a dump, may last for hours.
function secondsToWait(passedMs: number): number {
  return passedMs < 30_000 ? 2 : 60
}

async function removeSome(db: Executor, projectId: string, { contactId, name, before }: ErasureRow): Promise<boolean> {
  const [removed] = contactId
    ? await db.run(removeOfContact, [projectId, contactId, linesAtOnce])
    : await db.run(removeOfName, [projectId, name, before, linesAtOnce])
  return removed?.count === linesAtOnce
}
