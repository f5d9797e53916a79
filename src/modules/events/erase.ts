import { newId } from '../../kit/ids.ts'
import type { Database, Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { eventCounter } from './counter/counter.ts'
import { removeErasedCounts } from './counter/sql.ts'
import { pauseReader } from './reader/reader.ts'
import { eraseEventNameQueue } from './shapes.ts'
import {
  type ErasureRow,
  endErasure,
  findErasure,
  insertContactErasure,
  insertContactErasures,
  removeCounts,
  removeEventsOfContact,
  removeEventsOfName,
  removeNewestEventsOfContact,
  removeNewestEventsOfContacts,
  removeSomeLines,
} from './sql.ts'
import { forgetUnlogged } from './summary/sql.ts'
import { forgetName } from './summary/summary.ts'

const linesPerBatch = 2_000
const linesPerErasure = 5_000
// More lines than nearly any contact has; removing them takes a few milliseconds.
const linesRemovedAtDeletion = 1_000
const linesRemovedOfEach = 100

/** Identifies an erasure: the pending removal of the lines of a contact or of an event name. */
export interface Erasure {
  projectId: string
  erasureId: string
}

/**
 * Hides the lines of a contact, in the transaction that marks the contact as deleted, and removes the newest 1,000 of them
 * at once. Returns the id of the erasure that removes the rest.
 */
export async function hideContactEvents(
  tx: Executor,
  at: Date,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<string> {
  const erasureId = newId('erasure', at)
  await tx.run(insertContactErasure, [projectId, erasureId, contactId, at])
  await tx.run(removeNewestEventsOfContact, [projectId, contactId, linesRemovedAtDeletion])
  return erasureId
}

/** Hides the lines of many contacts as hideContactEvents does those of one; the newest 100 of each are removed at once. */
export async function hideEventsOfContacts(
  tx: Executor,
  at: Date,
  erasures: readonly { projectId: string; contactId: string; erasureId: string }[],
): Promise<void> {
  for (const [projectId, group] of Map.groupBy(erasures, (one) => one.projectId)) {
    const contactIds = group.map(({ contactId }) => contactId)
    await tx.run(insertContactErasures, [projectId, group.map(({ erasureId }) => erasureId), contactIds, at])
    await tx.run(removeNewestEventsOfContacts, [projectId, contactIds, linesRemovedOfEach])
  }
}

/**
 * Removes the lines of an erasure in batches that each commit, then ends it. Safe to run again after a crash.
 *
 * @returns null when it has ended; otherwise in how many seconds to run it again, because a reader of the log has not handled
 * all of the lines yet, or because a transaction from before the deletion is still open and may add a line
 */
export async function eraseEvents({ db, clock }: Pick<World, 'db' | 'clock'>, { projectId, erasureId }: Erasure): Promise<number | null> {
  for (let pass = 1; ; pass++) {
    const [erasure] = await db.run(findErasure, [projectId, erasureId])
    if (!erasure) return null
    if (erasure.name !== null) await forgetName(db, projectId, { name: erasure.name, before: erasure.before ?? '' })
    // This pass finds everything that had committed when `settled` was read.
    while (await removeSome(db, projectId, erasure));
    if (erasure.contactId !== null) while (await forgetSome(db, projectId, erasure.contactId));
    if (erasure.name !== null) await db.run(removeErasedCounts, [projectId, erasure.name])
    if (erasure.settled && (await db.run(endErasure, [projectId, erasureId, erasure.before])).length > 0) return null
    if (pass > 1) return secondsToWait(clock.now().getTime() - erasure.createdAt.getTime())
  }
}

/** Removes the lines of a deleted event name; queues itself again while an open transaction may add to them. */
export async function eraseEventName(world: Pick<World, 'db' | 'clock' | 'jobs'>, erasure: Erasure): Promise<void> {
  const seconds = await eraseEvents(world, erasure)
  if (seconds !== null) await world.jobs.enqueueIn(seconds, eraseEventNameQueue, erasure)
}

/** Removes one batch of a project's log lines, whose total follows; returns how many, 0 when none is left. */
export async function eraseSomeEvents({ db }: { db: Database }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, eventCounter)
    return (await tx.run(removeSomeLines, [projectId, linesPerErasure]))[0]?.count ?? 0
  })
}

/** Removes the counters of a project whose lines are removed, after waiting for a count under way; returns how many. */
export async function eraseEventCounts({ db }: { db: Database }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, eventCounter)
    return (await tx.run(removeCounts, [projectId]))[0]?.count ?? 0
  })
}

// Most transactions end within milliseconds; others, such as a dump, may last for hours.
function secondsToWait(passedMs: number): number {
  return passedMs < 30_000 ? 2 : 60
}

async function forgetSome(db: Executor, projectId: string, contactId: string): Promise<boolean> {
  return (await db.run(forgetUnlogged, [projectId, contactId, linesPerBatch]))[0]?.count === linesPerBatch
}

async function removeSome(db: Executor, projectId: string, { contactId, name, before }: ErasureRow): Promise<boolean> {
  const [removed] = contactId
    ? await db.run(removeEventsOfContact, [projectId, contactId, linesPerBatch])
    : await db.run(removeEventsOfName, [projectId, name, before, linesPerBatch])
  return removed?.count === linesPerBatch
}
