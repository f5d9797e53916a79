import { createCache } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { currentEpoch } from '../epoch.ts'
import { compare, type Position, toCursor } from './position.ts'
import { pageSize, readProject, readTail, type TailRow } from './sql.ts'
import type { StreamedLine } from './subscriber.ts'

/** Lines that no other line can precede any more, and the position up to which the log was read. */
export interface Reading {
  /** The position it was read from. */
  after: Position
  lines: { line: StreamedLine; position: Position; projectId: string }[]
  /** No more lines will appear at or before this position. */
  upTo: Position
  /** The page was full: there may be more lines. */
  more: boolean
  /** There are more lines, but an open transaction may still add lines before them. */
  pending: boolean
  /** `after` lies in the future of this database: it is a position of another one. */
  ahead: boolean
}

// No line is after it: reading from here only returns the current end of the log.
const end: Position = { epoch: 32_767, xid: 2n ** 64n - 1n, id: '' }

// It changes only when a dump is restored; a line of a later epoch shows that.
const epochCache = perWorld((world) => createCache({ max: 1, load: (_the: 'epoch') => currentEpoch(world) }))

/** Reads up to 500 lines of one or several projects after a position; without a position, only the current end of the log. */
export async function readLog(world: World, after: Position | undefined, projects: string | string[]): Promise<Reading> {
  const from = after ?? end
  const epoch = await epochCache(world).find('epoch')
  const place = [epoch, from.epoch, String(from.xid), from.id]
  const rows = await (typeof projects === 'string'
    ? world.db.run(readProject, [projects, ...place])
    : world.db.run(readTail, [projects, ...place]))
  if (rows.some((row) => row.epoch > epoch)) epochCache(world).forget(() => true)
  return readingOf(rows, after, epoch)
}

function readingOf(rows: TailRow[], after: Position | undefined, epoch: number): Reading {
  const [first] = rows
  const horizon: Position = { epoch, xid: BigInt(first?.horizon ?? 0), id: '' }
  const from = after ?? horizon
  const found = rows.filter((row) => row.id !== null)
  const unsettled = found.findIndex((row) => !row.settled)
  const settled = unsettled === -1 ? found : found.slice(0, unsettled)
  const lines = settled.filter(({ erased }) => !erased).map(lineOf)
  const lastRead = settled.at(-1)
  const last = lastRead ? positionOf(lastRead) : from
  const more = settled.length === pageSize
  return {
    after: from,
    lines,
    upTo: more || compare(last, horizon) > 0 ? last : horizon,
    more,
    pending: settled.length < found.length,
    ahead: from.epoch > epoch || (from.epoch === epoch && from.xid > BigInt(first?.head ?? 0)),
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
    projectId,
  }
}
