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
import type { MergedRow } from './rows.ts'
import { importRows } from './sql.ts'

/** Rows of one chunk, one per contact, and the addresses that may not be subscribed. */
export interface ChunkRows {
  projectId: string
  rows: MergedRow[]
  unwilling: Set<string>
}

/** What writing a chunk has done. */
export interface Written {
  created: number
  /** Rows that a bound of stored data refused. */
  errors: RowError[]
}

const maxFields = 2_000
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
  const { fitting, refused, added } = withinFields(rows, types)
  if (fitting.length === 0) return { created: 0, errors: refused.flatMap(noRoomForFields) }
  const resubscribe = await findResubscribable(tx, projectId, {
    all: fitting.map(({ email }) => email),
    wanted: fitting.flatMap(({ email, subscribed }) => (subscribed && !unwilling.has(email) ? [email] : [])),
  })
  const values = [
    projectId,
    JSON.stringify(sentOf(world, projectId, { rows: fitting, unwilling, at })),
    at,
    JSON.stringify(subscriptionsOf(fitting, resubscribe)),
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
  return { created, errors: [...refused.flatMap(noRoomForFields), ...fitting.filter(({ email }) => full.includes(email)).flatMap(noRoom)] }
}

/** The custom fields of a project and their types. */
export async function typesOf(on: Executor, projectId: string): Promise<Map<string, FieldType>> {
  return new Map((await on.run(selectCustomFields, [projectId])).map(({ key, type }) => [key, type]))
}

// A row that would pass the bound on fields is refused, and the fields of those before it are counted.
function withinFields(rows: MergedRow[], types: Map<string, FieldType>) {
  const known = new Set(types.keys())
  const fitting: MergedRow[] = []
  const refused: MergedRow[] = []
  const added: MergedRow['patch'][] = []
  for (const row of rows) {
    const fresh = Object.keys(row.patch.types).filter((key) => !known.has(key))
    if (known.size + fresh.length > maxFields && fresh.length > 0) {
      refused.push(row)
      continue
    }
    fitting.push(row)
    if (fresh.length > 0) added.push(row.patch)
    for (const key of fresh) known.add(key)
  }
  return { fitting, refused, added }
}

interface Sent {
  rows: MergedRow[]
  unwilling: Set<string>
  at: Date
}

function sentOf(world: World, projectId: string, { rows, unwilling, at }: Sent): object[] {
  return rows.map(({ email, subscribed, patch }) => ({
    email,
    new_id: newId('contact', at),
    hash: optOutHash(world, { projectId, email }),
    set: patch.set,
    subscribed: !unwilling.has(email) && (subscribed ?? true),
  }))
}

// A contact that is subscribed need not be subscribed, and of the others only those that may be.
function subscriptionsOf(rows: MergedRow[], resubscribe: Set<string>): Record<string, boolean> {
  const changes: Record<string, boolean> = {}
  for (const { email, subscribed } of rows) if (subscribed === false || (subscribed && resubscribe.has(email))) changes[email] = subscribed
  return changes
}

// The type of a field is that of the first value seen, so the first row comes last.
function typesOfAll(patches: MergedRow['patch'][]): MergedRow['patch']['types'] {
  return Object.assign(Object.create(null), ...patches.map(({ types }) => types).reverse())
}

function noRoom({ email, lines }: MergedRow): RowError[] {
  const error = 'The contact has no room for the data: it holds at most 500 keys and 128 KB as JSON.'
  return lines.map((row) => ({ row, email, error }))
}

function noRoomForFields({ email, lines }: MergedRow): RowError[] {
  const error = `The project has no room for the new fields of this row: it has at most ${maxFields.toLocaleString('en-US')} custom fields.`
  return lines.map((row) => ({ row, email, error }))
}
