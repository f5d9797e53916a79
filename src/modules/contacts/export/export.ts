import { setImmediate as otherWork } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { cellOfValue, lineOf } from '../../../kit/csv/cells.ts'
import type { Download } from '../../../kit/download.ts'
import { inPlace } from '../../../kit/export-places.ts'
import { conditionOf, nextOfAudience, requireSegments, searchOf } from '../audience/audience.ts'
import { fieldPrefix, timestampColumns } from '../csv/columns.ts'
import type { ContactSearchSql } from '../sql.ts'
import type { ExportSearch } from './shapes.ts'
import { type ExportedContact, maxBatchRows, selectContactsAfter, selectKeys } from './sql.ts'

// Writing more cells at a time would keep the thread busy for too long.
const cellsPerPiece = 20_000
const standardColumns = ['email', 'subscribed', ...timestampColumns]

/**
 * The contacts of the project as CSV, oldest first: address, subscription, times, and every custom field. It is read in short
 * batches, as fast as the caller takes it: contacts that change meanwhile are exported as they are when they are reached.
 * Imported again it gives the same data. Fails with SEGMENT_NOT_FOUND; reading it fails with RATE_LIMIT_EXCEEDED while 4 exports
 * of the project run.
 */
export async function exportContacts(ctx: Ctx, search: ExportSearch): Promise<Download> {
  await requireSegments(ctx, search)
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return { filename: `contacts-${day}.csv`, pieces: inPlace(ctx, () => piecesOf(ctx, search)) }
}

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

async function* piecesOf(ctx: Call, search: ExportSearch): AsyncGenerator<string, void> {
  const keys = (await ctx.db.run(selectKeys, [ctx.projectId])).map(({ key }) => key)
  yield lineOf([...standardColumns, ...keys.map(columnOf)].map(cellOfValue))
  const rowsPerPiece = Math.max(1, Math.floor(cellsPerPiece / (standardColumns.length + keys.length)))
  for await (const contacts of batchesOf(ctx, search)) {
    for (let at = 0; at < contacts.length; at += rowsPerPiece) {
      yield contacts
        .slice(at, at + rowsPerPiece)
        .map((contact) => rowOf(contact, keys))
        .join('')
      await otherWork()
    }
  }
}

async function* batchesOf(ctx: Call, search: ExportSearch): AsyncGenerator<ExportedContact[], void> {
  const condition = conditionOf(search)
  if (!condition) return yield* contactsOf(ctx, searchOf(search))
  for (let after = ''; ; ) {
    const next = await nextOfAudience(ctx, condition, { after, limit: maxBatchRows })
    if (!next) return
    if (next.ids.length > 0) yield* contactsOf(ctx, { ids: next.ids })
    after = next.lookedUpTo
  }
}

async function* contactsOf({ db, projectId }: Call, filter: ContactSearchSql): AsyncGenerator<ExportedContact[], void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { batch, values } = selectContactsAfter(filter, after)
    const contacts: ExportedContact[] = await db.run(batch, [projectId, maxBatchRows, ...values])
    if (contacts.length > 0) yield contacts
    after = contacts.at(-1)?.id
  }
}

function rowOf({ email, subscribed, createdAt, updatedAt, data }: ExportedContact, keys: string[]): string {
  const standard = [cellOfValue(email), String(subscribed), createdAt.toISOString(), updatedAt.toISOString()]
  return lineOf([...standard, ...keys.map((key) => (Object.hasOwn(data, key) ? cellOfValue(data[key]) : ''))])
}

// An import would take these names for something else.
function columnOf(key: string): string {
  const isTaken = ['email', 'subscribed'].includes(key.toLowerCase()) || timestampColumns.includes(key) || key.startsWith(fieldPrefix)
  return isTaken ? `${fieldPrefix}${key}` : key
}
