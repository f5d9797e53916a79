import type { RowError } from '../../../kit/csv/shapes.ts'
import { newId } from '../../../kit/ids.ts'
import { type Executor, isPostgresError, type Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { announceEvents, appendEvents } from '../../events/log.ts'
import { optOutHash } from '../../suppressions/opt-outs.ts'
import type { FieldType } from '../data.ts'
import { selectCustomFields } from '../fields/sql.ts'
import { fieldsParameter } from '../write.ts'
import { findResubscribable } from './opt-outs.ts'
import { errorsOfRoom, withinFields } from './room.ts'
import { type ImportRow, type MergedRow, mergeRows } from './rows.ts'
import { importRows } from './sql.ts'

/** Rows of one chunk in the order of the file, and the addresses that may not be subscribed. */
export interface ChunkRows {
  projectId: string
  rows: ImportRow[]
  unwilling: Set<string>
}

/** What writing a chunk has done. */
export interface Written {
  created: number
  /** Rows that a bound of stored data refused. */
  errors: RowError[]
}

// A field may be forgotten and another one made in between.
const maxTries = 5

/**
 * Writes the rows of a chunk in the transaction that records it: contacts, log lines of changed subscriptions, new fields. Rows
 * for which the project or the contact has no room are returned as errors and change nothing.
 */
export async function writeRows(tx: Transaction, world: World, chunk: ChunkRows): Promise<Written> {
  for (let tries = 1; ; tries++) {
    await tx.client.query('savepoint chunk')
    try {
      return await writeOnce(tx, world, chunk)
    } catch (error) {
      // Others took the last fields of the project meanwhile: now it is known which rows have no room.
      if (!isFieldsTaken(error) || tries === maxTries) throw error
      await tx.client.query('rollback to savepoint chunk')
    }
  }
}

function isFieldsTaken(error: unknown): boolean {
  return isPostgresError(error) && error.code === '23514' && error.constraint === 'contact_fields_max'
}

async function writeOnce(tx: Transaction, world: World, { projectId, rows, unwilling }: ChunkRows): Promise<Written> {
  const at = world.clock.now()
  const types = await typesOf(tx, projectId)
  const room = withinFields(mergeRows(rows), new Set(types.keys()))
  const { fitting, added } = room
  if (fitting.length === 0) return { created: 0, errors: errorsOfRoom(room, []) }
  const resubscribe = await findResubscribable(tx, projectId, {
    all: fitting.map(({ email }) => email),
    wanted: fitting.flatMap(({ email, subscribed }) => (subscribed && !unwilling.has(email) ? [email] : [])),
  })
  const values = [
    projectId,
    JSON.stringify(sentOf(world, projectId, { rows: fitting, unwilling, at })),
    JSON.stringify(subscriptionsOf(fitting, resubscribe)),
    at,
    fieldsParameter({ projectId, at, keyKind: 'SECRET', patch: { types: typesOfAll(added) } }),
  ]
  const [written] = await tx.run(importRows, values)
  const { created, flipped, refused: full } = written ?? { created: 0, flipped: [], refused: [] }
  const lines = flipped.map(({ id, subscribed }) => ({
    name: subscribed ? 'contact.subscribed' : 'contact.unsubscribed',
    contactId: id,
    data: { source: 'import' },
  }))
  await appendEvents(tx, projectId, at, lines)
  if (lines.length > 0) tx.afterCommit(() => announceEvents(world, projectId))
  return { created, errors: errorsOfRoom(room, full) }
}

/** The custom fields of a project and their types. */
export async function typesOf(on: Executor, projectId: string): Promise<Map<string, FieldType>> {
  return new Map((await on.run(selectCustomFields, [projectId])).map(({ key, type }) => [key, type]))
}

interface Sent {
  rows: MergedRow[]
  unwilling: Set<string>
  at: Date
}

function sentOf(world: World, projectId: string, { rows, unwilling, at }: Sent): object[] {
  return rows.map(({ email, subscribed, optsOut, patch }) => ({
    email,
    new_id: newId('contact', at),
    hash: optOutHash(world, { projectId, email }),
    set: patch.set,
    subscribed: !optsOut && !unwilling.has(email) && (subscribed ?? true),
  }))
}

// A contact that is subscribed need not be subscribed, and of the others only those that may be. Whom one row unsubscribes has opted out,
// and no later one subscribes it, as if they were in two chunks.
function subscriptionsOf(rows: MergedRow[], resubscribe: Set<string>): Record<string, boolean> {
  const changes: Record<string, boolean> = {}
  for (const { email, subscribed, optsOut } of rows) {
    if (subscribed && resubscribe.has(email)) changes[email] = true
    else if (optsOut) changes[email] = false
  }
  return changes
}

// The type of a field is that of the first value seen, so the first row comes last.
function typesOfAll(patches: MergedRow['patch'][]): MergedRow['patch']['types'] {
  return Object.assign(Object.create(null), ...patches.map(({ types }) => types).reverse())
}
