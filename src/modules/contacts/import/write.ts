import type { RowError } from '../../../kit/csv/shapes.ts'
import { newId } from '../../../kit/ids.ts'
import { type Executor, isPostgresError, type Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { appendEvents } from '../../events/log.ts'
import { optOutHash } from '../../suppressions/opt-outs.ts'
import type { FieldType } from '../data.ts'
import { selectCustomFields } from '../fields/sql.ts'
import { fieldsParameter } from '../write.ts'
import { findResubscribable, findUnwilling } from './opt-outs.ts'
import { errorsOfRoom, type RowsWithinFields, withinFields } from './room.ts'
import { type ImportRow, type MergedRow, mergeRows } from './rows.ts'
import { findRefused, importRows, lockContacts } from './sql.ts'

/** Rows of one chunk in the order of the file. */
export interface ChunkRows {
  projectId: string
  rows: ImportRow[]
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
export async function writeRows(tx: Transaction, world: World, given: ChunkRows): Promise<Written> {
  const merged = mergeRows(given.rows)
  const unwilling = await findUnwilling(
    tx,
    given.projectId,
    merged.map(({ email }) => email),
  )
  const chunk: Chunk = { ...given, merged, unwilling, full: null }
  for (let tries = 1; ; tries++) {
    await tx.client.query('savepoint chunk')
    try {
      const written = await writeOnce(tx, world, chunk)
      if (written) return written
      await tx.client.query('rollback to savepoint chunk')
      chunk.full = await findFull(tx, chunk)
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

interface Chunk extends ChunkRows {
  merged: MergedRow[]
  /** The addresses that may not be subscribed. */
  unwilling: Set<string>
  /** The addresses whose contact has no room, once they have been looked for. */
  full: Set<string> | null
}

// The addresses whose contact has no room. They are locked, so that it stays so until they are written.
async function findFull(tx: Transaction, { projectId, merged }: Chunk): Promise<Set<string>> {
  await tx.run(lockContacts, [projectId, merged.map(({ email }) => email)])
  const sets = merged.map(({ email, patch: { set } }) => ({ email, set }))
  const full = await tx.run(findRefused, [projectId, JSON.stringify(sets), '{}'])
  return new Set(full.map(({ email }) => email))
}

// Returns null where it has to be done again: it was not known yet whose contact has no room (`full`), and one of them has new fields.
async function writeOnce(tx: Transaction, world: World, chunk: Chunk): Promise<Written | null> {
  const { projectId, merged, full } = chunk
  const at = world.clock.now()
  const types = await typesOf(tx, projectId)
  const room = withinFields(merged, new Set(types.keys()), full ?? new Set())
  if (room.fitting.length === 0) return { created: 0, errors: errorsOfRoom(room, new Set()) }
  const [written] = await tx.run(importRows, await valuesOf(tx, world, chunk, room, at))
  const { created, flipped, refused } = written ?? { created: 0, flipped: [], refused: [] }
  const without = new Set(refused)
  const isNew = (field: string): boolean => room.added.has(field)
  if (!full && room.fitting.some(({ email, patch }) => without.has(email) && Object.keys(patch.types).some(isNew))) return null
  const lines = flipped.map(({ id, subscribed }) => ({
    name: subscribed ? 'contact.subscribed' : 'contact.unsubscribed',
    contactId: id,
    data: { source: 'import' },
  }))
  await appendEvents(tx, world, { projectId, at, lines })
  return { created, errors: errorsOfRoom(room, without) }
}

// The parameters of importRows.
async function valuesOf(tx: Transaction, world: World, chunk: Chunk, room: RowsWithinFields, at: Date) {
  const { projectId, unwilling } = chunk
  const { fitting } = room
  const resubscribe = await findResubscribable(tx, projectId, {
    all: fitting.map(({ email }) => email),
    wanted: fitting.flatMap(({ email, subscribed }) => (subscribed && !unwilling.has(email) ? [email] : [])),
  })
  return [
    projectId,
    JSON.stringify(sentOf(world, projectId, { rows: fitting, unwilling, at })),
    JSON.stringify(subscriptionsOf(fitting, resubscribe)),
    at,
    fieldsParameter({ projectId, at, keyKind: 'SECRET', patch: { types: typesOfAdded(chunk, room) } }),
  ]
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
    if (optsOut) changes[email] = false
    else if (subscribed && resubscribe.has(email)) changes[email] = true
  }
  return changes
}

// The type of a new field is that of its first value in the file, which a contact may have that has an earlier row without it.
function typesOfAdded({ rows, full }: Chunk, { fitting, added }: RowsWithinFields): Record<string, FieldType> {
  const types: Record<string, FieldType> = Object.create(null)
  if (added.size === 0) return types
  const emails = new Set(fitting.map(({ email }) => email))
  for (const { email, patch } of rows) {
    if (!emails.has(email) || full?.has(email)) continue
    for (const key in patch.types) if (added.has(key) && !Object.hasOwn(types, key)) types[key] = patch.types[key] ?? 'string'
  }
  return types
}
