import { createCache } from '../../../kit/cache.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { currentEpoch } from '../epoch.ts'
import { compare, type Position, toCursor } from './position.ts'
import { pageSize, readProject, readTail, type TailRow } from './sql.ts'
import type { StreamedLine } from './subscriber.ts'

/** Lines that can no longer be preceded by others, and where the reading ended. */
export interface Reading {
  /** Where it began. */
  after: Position
  lines: { line: StreamedLine; position: Position; projectId: string }[]
  /** Nothing at or before it will ever appear again. */
  upTo: Position
  /** The page was full: read on. */
  more: boolean
  /** There are lines that an open transaction may still precede. */
  pending: boolean
  /** It began in this database's future: the place is from another one. */
  ahead: boolean
}

// No line is after it: reading from here only says where the log stands.
const end: Position = { epoch: 32_767, xid: 2n ** 64n - 1n, id: '' }

// It only changes when a dump is restored: a line of a later epoch tells.
const epochCache = perWorld((world) => createCache({ max: 1, load: (_the: 'epoch') => currentEpoch(world) }))

/** Reads up to 500 lines of one project or several after a place; without a place, only where the log stands now. */
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
  const last = lastRead ? placeOf(lastRead) : from
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

function placeOf({ epoch, xid, id }: TailRow): Position {
  return { epoch, xid: BigInt(xid), id: id ?? '' }
}

function lineOf(row: TailRow): Reading['lines'][number] {
  const { projectId, name, contactId, contactEmail, emailId, data, createdAt } = row
  const position = placeOf(row)
  return {
    line: { cursor: toCursor(position), id: position.id, name, contactId, contactEmail, emailId, data, createdAt },
    position,
    projectId,
  }
}
