import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { compare, type Position, toCursor } from './position.ts'
import { pageSize, readProject, readTail, type TailRow } from './sql.ts'
import type { Offered } from './subscriber.ts'

/** Lines that no other line can precede any more, and the position up to which the log was read. */
export interface Reading {
  lines: (Offered & { projectId: string })[]
  /** No more lines will appear at or before this position. */
  upTo: Position
  /** The page was full: there may be more lines. */
  more: boolean
  /** There are more lines, but an open transaction may still add lines before them. */
  pending: boolean
}

// No line is after it: reading from here only returns the current end of the log.
const end: Position = { epoch: 32_767, xid: 2n ** 64n - 1n, id: '' }

/**
 * Reads up to 500 lines of one or several projects after a position, and of long ones as many as have about 2 MB, at least one.
 * Throws CURSOR_EXPIRED for a position that this log has not reached: it is of another database.
 */
export async function readLog({ db }: Pick<World, 'db'>, after: Position, projects: string | string[]): Promise<Reading> {
  const place = placeOf(after)
  const rows = await (typeof projects === 'string' ? db.run(readProject, [projects, ...place]) : db.run(readTail, [projects, ...place]))
  return readingOf(rows, after)
}

/** The current end of the log. Throws CURSOR_EXPIRED when it has not reached `after`: that is of another database. */
export async function readEnd({ db }: Pick<World, 'db'>, projectId: string, after?: Position): Promise<Position> {
  return horizonOf(await db.run(readProject, [projectId, ...placeOf(end)]), after)
}

const placeOf = ({ epoch, xid, id }: Position) => [epoch, String(xid), id]

function horizonOf([first]: TailRow[], after: Position | undefined): Position {
  const epoch = first?.present ?? 1
  const horizon: Position = { epoch, xid: BigInt(first?.horizon ?? 0), id: '' }
  // Before the first line of the next transaction is the furthest that a position can be.
  if (compare(after ?? horizon, { epoch, xid: BigInt(first?.head ?? 0), id: '' }) > 0) throw new Failure('CURSOR_EXPIRED')
  return horizon
}

function readingOf(rows: TailRow[], after: Position): Reading {
  const horizon = horizonOf(rows, after)
  const found = rows.filter((row) => row.id !== null)
  const unsettled = found.findIndex((row) => !row.settled)
  const settled = unsettled === -1 ? found : found.slice(0, unsettled)
  const lines = settled.filter(({ erased }) => !erased).map(lineOf)
  const lastRead = settled.at(-1)
  const last = lastRead ? positionOf(lastRead) : after
  const more = settled.length === pageSize || lastRead?.full === true
  return {
    lines,
    upTo: more || compare(last, horizon) > 0 ? last : horizon,
    more,
    pending: settled.length < found.length,
  }
}

function positionOf({ epoch, xid, id }: TailRow): Position {
  return { epoch, xid: BigInt(xid), id: id ?? '' }
}

function lineOf(row: TailRow): Reading['lines'][number] {
  const { projectId, name, contactId, contactEmail, emailId, data, createdAt } = row
  const position = positionOf(row)
  return {
    line: { cursor: toCursor(position), id: position.id, name, contactId, contactEmail, emailId, data, createdAt },
    position,
    bytes: row.bytes,
    projectId,
  }
}
