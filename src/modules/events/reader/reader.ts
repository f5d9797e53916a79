import { Failure } from '../../../kit/errors.ts'
import { isPostgresError, type Transaction } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { countFailure, findRangeEnd, lockReader, moveReader, type PlaceRow, placeReader, setLineAside } from './sql.ts'

/** The lines after one place of the log up to and including another, which no other line can join any more. */
export interface LogRange {
  after: PlaceRow
  upTo: PlaceRow
  /** Lines in it when it was found; some may have been deleted since. */
  count: number
}

/** Work that is done once for each line of the log. */
export interface LogReader {
  /** Under which its place is stored: never given to other work. */
  name: string
  /** Lines per batch. */
  maxLines: number
  /**
   * Does the work for the lines of a range, in the transaction that moves the reader past them: what it writes there
   * exists exactly once per line. An error that does not come from the state of the database is one of a line.
   */
  handle(tx: Transaction, range: LogRange, world: World): Promise<void>
}

/** How often a line may fail alone before it is set aside. */
export const maxLineFailures = 5
const narrowing = 4
const maxErrorLength = 1_000

const placed = perWorld(() => new Set<string>())

/**
 * Lets a reader do the work for its next lines: exactly once per line after any crash, whichever process does it; one
 * process at a time. A line whose work fails is found by smaller and smaller batches, tried again, and then set aside in
 * `log_lines_set_aside`, with an entry in the log and in the metric `postwire_log_lines_set_aside_total`: a reader never
 * stops for ever. An unavailable database is no failure of a line and rejects.
 *
 * @returns whether there may be more to do now
 */
export async function advanceReader(world: World, reader: LogReader): Promise<boolean> {
  await place(world, reader)
  let failed: Failed | undefined
  try {
    return await world.db.transaction(async (tx) => {
      const [at] = await tx.run(lockReader, [reader.name])
      if (!at) return false
      const limit = batchSize(reader, at.failures)
      const range = await findRange(tx, at, limit)
      if (!range) return false
      failed = { range, limit, failures: at.failures }
      await reader.handle(tx, range, world)
      failed = undefined
      await tx.run(moveReader, [reader.name, range.upTo.epoch, range.upTo.xid, range.upTo.id])
      return range.count === limit
    })
  } catch (error) {
    if (!failed || !isOfLine(error)) throw error
    return recordFailure(world, reader, failed, error)
  }
}

interface Failed {
  range: LogRange
  /** Lines that were asked for. */
  limit: number
  /** Failures before this one. */
  failures: number
}

/** The parameters $1 to $6 of a statement with `inRange`. */
export function rangeParameters({ after, upTo }: LogRange): unknown[] {
  return [after.epoch, after.xid, after.id, upTo.epoch, upTo.xid, upTo.id]
}

async function place(world: World, { name }: LogReader): Promise<void> {
  if (placed(world).has(name)) return
  await world.db.run(placeReader, [name])
  placed(world).add(name)
}

async function findRange(tx: Transaction, after: PlaceRow, limit: number): Promise<LogRange | null> {
  const [end] = await tx.run(findRangeEnd, [after.epoch, after.xid, after.id, limit])
  if (!end) return null
  const { count, ...upTo } = end
  return { after, upTo, count }
}

// The whole batch, then a quarter of it for each failure, at last a single line.
function batchSize({ maxLines }: LogReader, failures: number): number {
  return Math.max(1, Math.floor(maxLines / narrowing ** failures))
}

function failuresUntilSingle({ maxLines }: LogReader): number {
  return Math.ceil(Math.log(maxLines) / Math.log(narrowing))
}

// Data that Postgres refuses (classes 22 and 23) and errors of our own code; anything else is the state of the database.
function isOfLine(error: unknown): boolean {
  if (isPostgresError(error)) return /^(22|23)/.test(error.code ?? '')
  return error instanceof Failure || (error instanceof Error && typeof (error as NodeJS.ErrnoException).code !== 'string')
}

// Answers whether to go on at once: with a smaller batch, or behind the line that was set aside.
async function recordFailure(world: World, reader: LogReader, { range, limit, failures }: Failed, error: unknown): Promise<boolean> {
  const { id } = range.upTo
  if (limit > 1 || failures + 1 < failuresUntilSingle(reader) + maxLineFailures) {
    world.log.warn(
      { err: error, reader: reader.name, lines: range.count, last: id },
      'events: a reader of the log failed, tries fewer lines',
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

async function setAside(
  tx: Transaction,
  { world, reader, range, error }: { world: World; reader: LogReader; range: LogRange; error: unknown },
): Promise<{ name: string } | undefined> {
  const { after, upTo } = range
  const [at] = await tx.run(lockReader, [reader.name])
  // Another process has moved on meanwhile.
  if (at?.xid !== after.xid || at.id !== after.id || at.epoch !== after.epoch) return undefined
  const sentence = String(error instanceof Error ? error.message : error).slice(0, maxErrorLength)
  const [line] = await tx.run(setLineAside, [reader.name, upTo.epoch, upTo.xid, upTo.id, sentence, world.clock.now()])
  await tx.run(moveReader, [reader.name, upTo.epoch, upTo.xid, upTo.id])
  return line
}
