import { newId } from '../../../kit/ids.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import type { ErasingDatabase } from '../../../kit/postgres/erase.ts'
import type { World } from '../../../kit/world.ts'
import { eventCounter } from '../counter/counter.ts'
import { removeErasedCounts } from '../counter/sql.ts'
import { pauseReader } from '../reader/reader.ts'
import { eraseEventNameQueue } from '../shapes.ts'
import { forgetUnlogged } from '../summary/sql.ts'
import { forgetName } from '../summary/summary.ts'
import {
  type ErasureRow,
  endErasures,
  findErasures,
  insertContactErasure,
  insertContactErasures,
  removeCounts,
  removeEventsOfName,
  removeNewestEventsOfContact,
  removeNewestEventsOfContacts,
  removeSomeLines,
  requeueNameErasures,
} from './sql.ts'

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

/** A contact whose lines are removed. */
export interface ContactErasure {
  contactId: string
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
  { projectId, erasures }: { projectId: string; erasures: readonly ContactErasure[] },
): Promise<void> {
  const contactIds = erasures.map(({ contactId }) => contactId)
  await tx.run(insertContactErasures, [projectId, erasures.map(({ erasureId }) => erasureId), contactIds, at])
  await tx.run(removeNewestEventsOfContacts, [projectId, contactIds, linesRemovedOfEach])
}

/** What became of erasures: the contacts of which nothing is left, and in how many seconds to go on with the others. */
export interface Erased {
  ended: string[]
  seconds: number
}

/**
 * Removes the lines of contacts of a project in batches that each commit, then ends their erasures. Safe to run again after a crash. Some
 * do not end yet: a reader of the log has not handled all of the lines, or a transaction from before the deletion is still open and may
 * add one.
 */
export async function eraseEventsOfContacts(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  projectId: string,
  contacts: readonly ContactErasure[],
): Promise<Erased> {
  const erasureIds = contacts.map(({ erasureId }) => erasureId)
  let seconds = 0
  for (let pass = 1; pass <= 2; pass++) {
    // This pass finds everything that had committed when `settled` was read.
    const open = await db.run(findErasures, [projectId, erasureIds])
    if (open.length === 0) break
    const contactIds = open.map(({ contactId }) => contactId)
    while (await removeSomeOfContacts(db, projectId, contactIds));
    while (await forgetSome(db, projectId, contactIds));
    const settled = open.filter(({ settled }) => settled).map(({ id }) => id)
    await db.run(endErasures, [projectId, settled, null])
    const oldest = Math.min(...open.map(({ createdAt }) => createdAt.getTime()))
    seconds = secondsToWait(clock.now().getTime() - oldest)
  }
  const left = new Set((await db.run(findErasures, [projectId, erasureIds])).map(({ id }) => id))
  return { ended: contacts.filter(({ erasureId }) => !left.has(erasureId)).map(({ contactId }) => contactId), seconds }
}

/**
 * Removes the lines of a deleted event name in batches that each commit, then ends its erasure. Safe to run again after a crash; queues
 * itself again while a reader of the log has not handled all of the lines, or an open transaction may add to them.
 */
export async function eraseEventName(world: Pick<World, 'db' | 'clock' | 'jobs'>, erasure: Erasure): Promise<void> {
  const seconds = await eraseEventsOfName(world, erasure)
  if (seconds !== null) await world.jobs.enqueueIn(seconds, eraseEventNameQueue, erasure)
}

// Returns null when it has ended; otherwise in how many seconds to run it again.
async function eraseEventsOfName({ db, clock }: Pick<World, 'db' | 'clock'>, { projectId, erasureId }: Erasure): Promise<number | null> {
  for (let pass = 1; ; pass++) {
    const [erasure] = await db.run(findErasures, [projectId, [erasureId]])
    if (!erasure) return null
    const { name, before, settled, createdAt } = erasure
    await forgetName(db, projectId, { name: name ?? '', before: before ?? '' })
    while (await removeSomeOfName(db, projectId, erasure));
    await db.run(removeErasedCounts, [projectId, name])
    if (settled && (await db.run(endErasures, [projectId, [erasureId], before])).length > 0) return null
    if (pass > 1) return secondsToWait(clock.now().getTime() - createdAt.getTime())
  }
}

const staleAfterMs = 10 * 60_000
const namesAtOnce = 1_000

/**
 * Queues the erasures of deleted names that have not ended within 10 minutes and have no job any more, 1,000 at most: it failed too
 * often, or was lost.
 */
export async function resumeNameErasures({ db, clock, jobs, log }: Pick<World, 'db' | 'clock' | 'jobs' | 'log'>): Promise<void> {
  const [queued] = await db.lookups.run(requeueNameErasures, [new Date(clock.now().getTime() - staleAfterMs), namesAtOnce])
  if (!queued?.count) return
  log.warn({ names: queued.count }, 'events: erasures of deleted names that have not ended were queued again')
  jobs.wake(eraseEventNameQueue)
}

/** Removes one batch of a project's log lines, whose total follows; returns how many, 0 when none is left. */
export async function eraseSomeEvents({ db }: { db: ErasingDatabase }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, eventCounter)
    return (await tx.run(removeSomeLines, [projectId, linesPerErasure]))[0]?.count ?? 0
  })
}

/** Removes the counters of a project whose lines are removed, after waiting for a count under way; returns how many. */
export async function eraseEventCounts({ db }: { db: ErasingDatabase }, projectId: string): Promise<number> {
  return db.transaction(async (tx) => {
    await pauseReader(tx, eventCounter)
    return (await tx.run(removeCounts, [projectId]))[0]?.count ?? 0
  })
}

// Most transactions end within milliseconds; others, such as a dump, may last for hours.
function secondsToWait(passedMs: number): number {
  return passedMs < 30_000 ? 2 : 60
}

async function forgetSome(db: Executor, projectId: string, contactIds: (string | null)[]): Promise<boolean> {
  return (await db.run(forgetUnlogged, [projectId, contactIds, linesPerBatch]))[0]?.count === linesPerBatch
}

async function removeSomeOfContacts(db: Executor, projectId: string, contactIds: (string | null)[]): Promise<boolean> {
  const each = Math.ceil(linesPerBatch / contactIds.length)
  return ((await db.run(removeNewestEventsOfContacts, [projectId, contactIds, each]))[0]?.count ?? 0) > 0
}

async function removeSomeOfName(db: Executor, projectId: string, { name, before }: ErasureRow): Promise<boolean> {
  return (await db.run(removeEventsOfName, [projectId, name, before, linesPerBatch]))[0]?.count === linesPerBatch
}
