import { Failure } from '../../../kit/errors.ts'
import { type Executor, isDatabaseUnavailable, isPostgresError, type Transaction } from '../../../kit/postgres/db.ts'
import type { ErasingDatabase } from '../../../kit/postgres/erase.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import {
  countFailure,
  findRangeEnd,
  hasUnhandled,
  lockReader,
  moveReader,
  type PositionRow,
  placeReader,
  removeReaders,
  setLogLineAside,
  setRangeAside,
  waitForReader,
} from './sql.ts'

/** The lines after one position of the log, up to and including another; no line can be added between them any more. */
export interface LogRange {
  after: PositionRow
  upTo: PositionRow
  /** How many lines it had when it was found; some may have been deleted since. */
  count: number
  /** Whether there are more lines: the batch was full, or those after it are in another epoch. */
  more: boolean
}

/** Work that is done exactly once for each line of the log. */
export interface LogReader {
  /** The name its position is stored under; never reuse it for other work. */
  name: string
  /** Maximum number of lines per batch. */
  maxLines: number
  /** Where it begins when it is new: at the first line of the log (default), or with the lines from now on. */
  startsAt?: 'first' | 'end'
  /** Whether one transaction can do the work for several lines; while it cannot, half as many are taken. Default: it always can. */
  fits?(range: LogRange, world: World): Promise<boolean>
  /**
   * Does the work for the lines of a range, in the transaction that moves the reader past them: what it writes there is
   * written exactly once per line. Any error that is not due to the state of the database counts as a failure of a line.
   */
  handle(tx: Transaction, range: LogRange, world: World): Promise<void>
}

/** How often a line may fail in a batch of its own before it is set aside. */
export const maxLineFailures = 5
const shrinkFactor = 4
const maxErrorLength = 1_000

const hourMs = 3_600_000
// When this process last said of a reader that it is active.
const activeSince = perWorld(() => new Map<string, number>())

/**
 * Lets a reader do the work for its next lines: exactly once per line, even after a crash; one process at a time. A line
 * that fails is located by smaller and smaller batches, tried again, and then set aside in `log_lines_set_aside`, which is
 * logged and counted by the metric `postwire_log_lines_set_aside_total`: no line blocks a reader forever. A batch that takes
 * longer than a transaction may is tried again with fewer lines. Rejects when the database is unavailable, or too slow for a
 * single line, which is not a failure of a line.
 *
 * @returns whether there may be more to do now
 */
export async function advanceReader(world: World, reader: LogReader): Promise<boolean> {
  await ensureReader(world, reader)
  let failed: Failed | undefined
  try {
    return await world.db.transaction(async (tx) => {
      const [at] = await tx.run(lockReader, [reader.name])
      if (!at) return false
      const batch = await findBatch(tx, at, reader, world)
      if (!batch) {
        if (at.id !== '') await move(tx, reader, behind(at))
        return false
      }
      const { range } = batch
      failed = { ...batch, failures: at.failures }
      await reader.handle(tx, range, world)
      failed = undefined
      await move(tx, reader, range.more ? range.upTo : behind(range.upTo))
      return range.more
    })
  } catch (error) {
    if (failed && isTransactionTimeout(error)) return recordTimeout(world, reader, failed, error)
    if (!failed || !isLineFailure(error)) throw error
    return recordFailure(world, reader, failed, error)
  }
}

/**
 * Waits for the batch of a reader that is under way, and lets it begin no other until the transaction ends; returns its position, or
 * null when it has never begun.
 */
export async function pauseReader(tx: Transaction, { name }: LogReader): Promise<PositionRow | null> {
  return (await tx.run(waitForReader, [name]))[0] ?? null
}

/**
 * Makes a step of the removal of a project's data of one (`erase`) that removes what a reader writes: it waits for the batch under way, which
 * may write for the project once more.
 */
export function behindReader(
  reader: LogReader,
  erase: (on: Executor, projectId: string) => Promise<number>,
): (world: { db: ErasingDatabase }, projectId: string) => Promise<number> {
  return ({ db }, projectId) =>
    db.transaction(async (tx) => {
      await pauseReader(tx, reader)
      return erase(tx, projectId)
    })
}

/** Whether a project has lines of some names that a reader has not handled. */
export async function isBehind(
  on: Executor,
  { name }: LogReader,
  { projectId, names }: { projectId: string; names: readonly string[] },
): Promise<boolean> {
  return (await on.run(hasUnhandled, [projectId, names, name]))[0]?.found === true
}

async function move(tx: Transaction, { name }: LogReader, { epoch, xid, id }: PositionRow): Promise<void> {
  await tx.run(moveReader, [name, epoch, xid, id])
}

// The position after all lines of a transaction, which are final together: looking for more of them, which the index holds as one
// entry, would read all of them again each time.
function behind({ epoch, xid }: PositionRow): PositionRow {
  return { epoch, xid: String(BigInt(xid) + 1n), id: '' }
}

interface Failed {
  range: LogRange
  /** The batch size that was requested. */
  limit: number
  /** How many failures there were before. */
  failures: number
}

/** The parameters $1 to $5 of a statement with `inRange`. */
export function rangeParameters({ after, upTo }: LogRange): unknown[] {
  const from = after.epoch === upTo.epoch ? after : beforeEpoch
  return [upTo.epoch, from.xid, from.id, upTo.xid, upTo.id]
}

const beforeEpoch = { xid: '0', id: '' }

/**
 * Registers the readers that begin with the lines from now on, so that those of this process count although none of them has been
 * started anywhere yet.
 */
export async function registerReaders(world: World, readers: readonly LogReader[]): Promise<void> {
  for (const reader of readers) if (reader.startsAt === 'end') await ensureReader(world, reader)
}

async function ensureReader(world: World, { name, startsAt = 'first' }: LogReader): Promise<void> {
  const now = world.clock.now()
  if (now.getTime() - (activeSince(world).get(name) ?? 0) < hourMs) return
  await world.db.run(placeReader, [name, startsAt, now])
  activeSince(world).set(name, now.getTime())
}

/**
 * Forgets the readers that this version does not have any more, so that they do not hold removals from the log back: those
 * that no process has asked for a day, because an older version may still be running, or come back.
 */
export async function forgetReaders({ db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>, present: readonly LogReader[]): Promise<void> {
  const inactiveSince = new Date(clock.now().getTime() - 24 * hourMs)
  const forgotten = await db.run(removeReaders, [present.map(({ name }) => name), inactiveSince])
  for (const { reader } of forgotten) log.warn({ reader }, 'events: a reader of the log that no version has any more was forgotten')
}

async function findRange(tx: Transaction, after: PositionRow, limit: number): Promise<LogRange | null> {
  const [end] = await tx.run(findRangeEnd, [after.epoch, after.xid, after.id, limit])
  if (!end) return null
  const { count, found, ...upTo } = end
  return { after, upTo, count, more: found === limit || found > count }
}

// The next lines that fit into one transaction, and how many were asked for; a single line always does.
async function findBatch(tx: Transaction, at: PositionRow & { failures: number }, reader: LogReader, world: World) {
  for (let limit = batchSize(reader, at.failures); ; ) {
    const range = await findRange(tx, at, limit)
    if (!range) return null
    if (range.count === 1 || !reader.fits || (await reader.fits(range, world))) return { range, limit }
    limit = Math.floor(range.count / 2)
  }
}

// The full batch at first, a quarter of it after each failure, and finally a single line.
function batchSize({ maxLines }: LogReader, failures: number): number {
  return Math.max(1, Math.floor(maxLines / shrinkFactor ** failures))
}

function failuresUntilSingle({ maxLines }: LogReader): number {
  return Math.ceil(Math.log(maxLines) / Math.log(shrinkFactor))
}

/** Whether the work for a line is to blame for an error. */
export function isLineFailure(error: unknown): boolean {
  // Data that Postgres refuses (error classes 22 and 23) and errors of our own code; others are due to the state of the database.
  if (isDatabaseUnavailable(error)) return false
  if (isPostgresError(error)) return /^(22|23)/.test(error.code ?? '')
  return error instanceof Failure || (error instanceof Error && typeof (error as NodeJS.ErrnoException).code !== 'string')
}

// Postgres ended the transaction because it took longer than one may.
function isTransactionTimeout(error: unknown): boolean {
  return isPostgresError(error) && error.code === '25P04'
}

// Returns whether to continue at once: with a smaller batch, or after the line that was set aside.
async function recordFailure(world: World, reader: LogReader, { range, limit, failures }: Failed, error: unknown): Promise<boolean> {
  const { id } = range.upTo
  if (limit > 1 || failures + 1 < failuresUntilSingle(reader) + maxLineFailures) {
    world.log.warn(
      { err: error, reader: reader.name, lines: range.count, last: id },
      'events: a reader of the log failed and will try fewer lines',
    )
    await world.db.run(countFailure, [reader.name])
    return limit > 1
  }
  const aside = await world.db.transaction((tx) => setAside(tx, { world, reader, range, error }))
  if (!aside) return true
  world.metrics.linesSetAside.inc({ reader: reader.name })
  world.log.error({ err: error, reader: reader.name, line: id, name: aside.name }, 'events: a reader of the log set a line aside')
  return true
}

// The work was too much for one transaction, or the database too slow: no line is to blame, so that none is ever set aside for it.
async function recordTimeout(world: World, reader: LogReader, { range, limit }: Failed, error: unknown): Promise<boolean> {
  const about = { err: error, reader: reader.name, lines: range.count, last: range.upTo.id }
  if (limit === 1) {
    world.log.error(about, 'events: a reader of the log could not handle a single line in time and will try it again')
    throw error
  }
  world.log.warn(about, 'events: a reader of the log took too long and will try fewer lines')
  await world.db.run(countFailure, [reader.name])
  return true
}

async function setAside(
  tx: Transaction,
  { world, reader, range, error }: { world: World; reader: LogReader; range: LogRange; error: unknown },
): Promise<{ name: string } | undefined> {
  const { after, upTo } = range
  const [at] = await tx.run(lockReader, [reader.name])
  // Another process has moved the reader meanwhile.
  if (at?.xid !== after.xid || at.id !== after.id || at.epoch !== after.epoch) return undefined
  const [line] = await tx.run(setRangeAside, [reader.name, upTo.epoch, upTo.xid, upTo.id, sentenceOf(error), world.clock.now()])
  await move(tx, reader, upTo)
  return line
}

const sentenceOf = (error: unknown) => String(error instanceof Error ? error.message : error).slice(0, maxErrorLength)

/** Sets a line of a project aside that could not be handled after the reader had passed it, where an operator sees it. */
export async function setLineAside(
  tx: Transaction,
  world: World,
  { reader, projectId, id, error }: { reader: string; projectId: string; id: string; error: unknown },
): Promise<void> {
  const [line] = await tx.run(setLogLineAside, [projectId, id, reader, sentenceOf(error), world.clock.now()])
  if (!line) return
  world.metrics.linesSetAside.inc({ reader })
  world.log.error({ err: error, reader, line: id, name: line.name }, 'events: a reader of the log set a line aside')
}
