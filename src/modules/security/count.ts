import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { advanceReader, isBehind, type LogReader, rangeParameters } from '../events/reader/reader.ts'
import type { Counts } from './levels.ts'
import { countMore, countReputations, dropHours } from './sql.ts'

const maxAgeMs = 9 * 86_400_000
const hoursPerBatch = 10_000

/** Adds every line to the reputation of its project. */
export const reputationReader: LogReader = {
  name: 'reputation',
  maxLines: 5_000,
  async handle(tx, range) {
    await tx.run(countReputations, rangeParameters(range))
  },
}

/**
 * Adds the next lines of the log to the reputations of the projects; exact after any crash, safe in any number of
 * processes.
 *
 * @returns whether there may be more to count
 */
export async function countReputation(world: World): Promise<boolean> {
  return advanceReader(world, reputationReader)
}

/** Emails that may have left, and hard bounces and complaints, of which no line of the log is left or will be. */
export interface Unlogged extends Partial<Counts> {
  projectId: string
  at: Date
}

/** Adds what is not logged to the reputation of a project; call it in the transaction after which it is not counted again. */
export async function countUnlogged(on: Executor, { projectId, at, sent = 0, bounces = 0, complaints = 0 }: Unlogged): Promise<void> {
  await on.run(countMore, [projectId, at, sent, bounces, complaints])
}

const names = ['email.sent', 'email.bounce', 'email.complaint', 'email.delivery', 'email.open', 'email.click']

/**
 * Counts what the log says of the emails of a project, before a reset removes it; returns false while that is not done, because another
 * process is counting or an open transaction holds the log back.
 */
export async function isReputationCounted(world: World, projectId: string): Promise<boolean> {
  const isCounted = async (): Promise<boolean> => !(await isBehind(world.db, reputationReader, { projectId, names }))
  while (!(await isCounted())) if (!(await countReputation(world))) return isCounted()
  return true
}

/** Removes hourly counts that are older than every window, in batches. Returns whether there may be more. */
export async function removeOldHours({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<boolean> {
  const before = new Date(clock.now().getTime() - maxAgeMs)
  return (await db.run(dropHours, [before, hoursPerBatch]))[0]?.count === hoursPerBatch
}
