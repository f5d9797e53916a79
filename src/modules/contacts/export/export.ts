import { setImmediate as otherWork } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import type { Download } from '../../../kit/download.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { cellOfValue } from '../csv/cells.ts'
import { fieldPrefix, timestampColumns } from '../csv/columns.ts'
import { inPlace } from './places.ts'
import type { ExportSearch } from './shapes.ts'
import { type ExportedContact, maxBatchRows, selectContactsAfter, selectKeys } from './sql.ts'

// Writing more cells at a time would keep the thread busy for too long.
const cellsPerPiece = 20_000
const standardColumns = ['email', 'subscribed', ...timestampColumns]

/**
 * The contacts of the project as CSV, oldest first: address, subscription, times, and every custom field. It is read in short
 * batches, as fast as the caller takes it: contacts that change meanwhile are exported as they are when they are reached.
 * Imported again it gives the same data. Reading it fails with RATE_LIMIT_EXCEEDED while 4 exports of the project run.
 */
export async function exportContacts(ctx: Ctx, { search, subscribed }: ExportSearch): Promise<Download> {
  const words = search?.trim().toLowerCase()
  const filter = { search: words ? escapeLike(words) : undefined, subscribed }
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return { filename: `contacts-${day}.csv`, pieces: inPlace(ctx, () => piecesOf(ctx, filter)) }
}

type Call = Pick<Ctx, 'db' | 'projectId'>

async function* piecesOf(ctx: Call, filter: { search: string | undefined; subscribed: boolean | undefined }) {
  const keys = (await ctx.db.run(selectKeys, [ctx.projectId])).map(({ key }) => key)
  yield lineOf([...standardColumns, ...keys.map(columnOf)].map(cellOfValue))
  const rowsPerPiece = Math.max(1, Math.floor(cellsPerPiece / (standardColumns.length + keys.length)))
  for (let after = ''; ; ) {
    const { batch, values } = selectContactsAfter(filter, after)
    const contacts = await ctx.db.run(batch, [ctx.projectId, maxBatchRows, ...values])
    for (let at = 0; at < contacts.length; at += rowsPerPiece) {
      yield contacts
        .slice(at, at + rowsPerPiece)
        .map((contact) => rowOf(contact, keys))
        .join('')
      await otherWork()
    }
    const last = contacts.at(-1)
    if (!last) return
    after = last.id
  }
}

function rowOf({ email, subscribed, createdAt, updatedAt, data }: ExportedContact, keys: string[]): string {
  const standard = [cellOfValue(email), String(subscribed), createdAt.toISOString(), updatedAt.toISOString()]
  return lineOf([...standard, ...keys.map((key) => (Object.hasOwn(data, key) ? cellOfValue(data[key]) : ''))])
}

// RFC 4180.
function lineOf(cells: string[]): string {
  return `${cells.join(',')}\r\n`
}

// An import would take these names for something else.
function columnOf(key: string): string {
  const isTaken = ['email', 'subscribed'].includes(key.toLowerCase()) || timestampColumns.includes(key) || key.startsWith(fieldPrefix)
  return isTaken ? `${fieldPrefix}${key}` : key
}
