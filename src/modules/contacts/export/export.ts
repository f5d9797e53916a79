import type { Ctx } from '../../../kit/context.ts'
import { cellOfValue, lineOf } from '../../../kit/csv/cells.ts'
import type { Download } from '../../../kit/download.ts'
import { inPieces } from '../../../kit/exports.ts'
import { exportOf } from '../../projects/exports.ts'
import {
  conditionOf,
  type FrozenSegments,
  freezeAudience,
  newestContact,
  nextOfAudience,
  requireSegments,
  searchOf,
} from '../audience/audience.ts'
import type { ContactSearchSql } from '../audience/sql.ts'
import { isColumnName } from '../csv/columns.ts'
import { standardFields } from '../fields/columns.ts'
import { customPrefix } from '../fields/names.ts'
import type { ExportSearch } from './shapes.ts'
import { type ExportedContact, maxBatchRows, selectContactsBetween, selectKeys } from './sql.ts'

/** The columns of the file that every contact has. */
export const standardColumns = Object.keys(standardFields) as (keyof typeof standardFields)[]

/**
 * The contacts of the project as CSV, oldest first: address, subscription, times, and every custom field. It is read in short
 * batches, as fast as the caller takes it: contacts that change meanwhile are exported as they are when they are reached, and those
 * that are created meanwhile are not. Segments mean whom they meant when it began; it breaks off when one of them, or a field or an event that
 * they asked, is deleted. Imported again it gives the same data. Fails with SEGMENT_NOT_FOUND, and with VALIDATION_ERROR when a segment that
 * the named one leads to was deleted, or what it asks to be missing; reading it fails as `exportOf` does, and with VALIDATION_ERROR where something is deleted that is asked.
 */
export async function exportContacts(ctx: Ctx, search: ExportSearch): Promise<Download> {
  await requireSegments(ctx, search)
  const frozen = await freezeAudience(ctx, search)
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return exportOf(ctx, `contacts-${day}.csv`, () => piecesOf(ctx, { ...search, ...frozen }))
}

type Frozen = ExportSearch & FrozenSegments

async function* piecesOf(ctx: Ctx, search: Frozen): AsyncGenerator<string, void> {
  const newest = await newestContact(ctx)
  const keys = (await ctx.db.run(selectKeys, [ctx.projectId])).map(({ key }) => key)
  const columns = new Map(keys.map((key, at) => [key, at]))
  const batches = batchesOf(ctx, search, newest)
  // Before anything is given out, so that its failure is that of the call.
  let next = await batches.next()
  yield lineOf([...standardColumns, ...keys.map(columnOf)].map(cellOfValue))
  for (; !next.done; next = await batches.next()) yield* inPieces(ctx, next.value, (contact) => rowOf(contact, columns))
}

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

async function* batchesOf(ctx: Call, { segments, since, ...search }: Frozen, upTo: string): AsyncGenerator<ExportedContact[], void> {
  const condition = conditionOf(search)
  if (!condition) return yield* contactsOf(ctx, searchOf(search), upTo)
  for (let after = ''; ; ) {
    const next = await nextOfAudience(ctx, { condition, segments, since }, { after, upTo, limit: maxBatchRows })
    if (!next) return
    if (next.ids.length > 0) yield* contactsOf(ctx, { ids: next.ids }, upTo)
    after = next.lookedUpTo
  }
}

// Batches may have half a megabyte: taking them in keeps the thread busy, and others are answered between them.
async function* contactsOf({ db, projectId }: Call, filter: ContactSearchSql, upTo: string): AsyncGenerator<ExportedContact[], void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { batch, values } = selectContactsBetween(filter, after, upTo)
    const contacts: ExportedContact[] = await db.large.run(batch, [projectId, maxBatchRows, ...values])
    if (contacts.length > 0) yield contacts
    after = contacts.at(-1)?.id
  }
}

// The fields of the contact are looked up, and not those of the project, which may be a hundred times as many.
function rowOf(contact: ExportedContact, columns: Map<string, number>): string {
  const fields = new Array<string>(columns.size).fill('')
  for (const [key, value] of Object.entries(contact.data)) {
    const at = columns.get(key)
    if (at !== undefined) fields[at] = cellOfValue(value)
  }
  return lineOf([...standardColumns.map((name) => cellOf(contact[name])), ...fields])
}

function cellOf(value: ExportedContact[(typeof standardColumns)[number]]): string {
  return value instanceof Date ? value.toISOString() : cellOfValue(value)
}

// An import would take these names for something else.
function columnOf(key: string): string {
  return isColumnName(key) || key.startsWith(customPrefix) ? `${customPrefix}${key}` : key
}
