import type { z } from 'zod'
import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { rowsOf } from '../../../kit/csv/csv.ts'
import { maxListedErrors, type RowError } from '../../../kit/csv/shapes.ts'
import { Failure } from '../../../kit/errors.ts'
import { type Recent, recent } from '../../../kit/recent.ts'
import { createSeen, type Seen } from '../../../kit/seen.ts'
import type { Json } from '../../../kit/shapes.ts'
import { createShare } from '../../../kit/share.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld } from '../../../kit/world.ts'
import { batchesOf, type RowBatch } from './continue.ts'
import { errorsOfRoom, withinFields } from './room.ts'
import { type ImportRow, mergeRows } from './rows.ts'
import type { ImportInput, ImportPreview } from './shapes.ts'
import { findRefused, selectExisting } from './sql.ts'
import { typesOf } from './write.ts'

/** Who asks for a preview, and may leave while it is made. */
export type PreviewCall = Pick<Ctx, 'world' | 'db' | 'projectId' | 'account'> & Partial<Pick<Ctx, 'left' | 'rightsNow'>>

// Those whose files are checked take turns for each batch of rows: a short file waits for a few batches and not for a long file.
const turnsOf = perWorld(() => ({
  files: createShare({ max: 8, maxPerOwner: 1, busy: 'Other files of this project or person are being checked at the moment.' }),
  batches: createTurns({ max: 2, maxPerOwner: 1 }),
}))

const maxListedColumns = 100

// What rows give a contact is remembered for those of later batches. All of it could take many times the memory of the file, and every
// batch compares again what its contacts have been given.
const maxRemembered = { contacts: 10_000, bytes: 2 * 1024 * 1024 }

// The shortest address, with what separates it from the next one.
const minRowBytes = 7

interface Progress {
  types: Map<string, ImportPreview['fields'][number]['type']>
  /** The fields that the project would have. */
  taken: Set<string>
  fields: Map<string, ImportPreview['fields'][number]>
  created: Seen
  /** The data that rows before have given contacts, as JSON, by address. */
  given: Recent<string, string>
  preview: Omit<ImportPreview, 'fields'>
}

/**
 * Waits for the turn to check a file: one of each account at a time. Fails with SERVICE_UNAVAILABLE when it has not come after 15 s, and
 * as `rightsNow` does when the caller may not call any more once it is checked.
 */
export async function whenFree<Result>(ctx: PreviewCall, check: () => Promise<Result>): Promise<Result> {
  const checked = await turnsOf(ctx.world).files(ownersOf(ctx), check, { ended: ctx.left?.() })
  await ctx.rightsNow?.()
  return checked
}

/**
 * What an import of a file would do, by the rules of the import; nothing is changed. It ends soon after its caller has left. Fails with
 * VALIDATION_ERROR when a row of it cannot be read, and when there are more than 1,000,000.
 */
export async function previewImport(ctx: PreviewCall, text: Buffer, input: z.output<typeof ImportInput>): Promise<ImportPreview> {
  const { delimiter, columns, start } = input
  const types = await typesOf(ctx.db, ctx.projectId)
  const maxRows = Math.ceil(text.length / minRowBytes) + 1
  const progress: Progress = {
    types,
    taken: new Set(types.keys()),
    fields: new Map(),
    created: createSeen(maxRows),
    given: recent({
      max: Math.min(maxRemembered.contacts, maxRows),
      weight: { max: maxRemembered.bytes, weigh: (data) => data.length },
    }),
    preview: {
      rows: 0,
      new: 0,
      existing: 0,
      unsubscribing: 0,
      ignoredColumns: (columns.ignored ?? []).slice(0, maxListedColumns),
      errors: [],
      errorsOmitted: 0,
    },
  }
  const batches = batchesOf(rowsOf([text.subarray(start.offset)], delimiter, start), columns, { ...start, rows: 0 })
  const checkNext = async (): Promise<boolean> => {
    const next = await batches.next()
    if (!next.done) await addBatch(ctx, progress, next.value.batch)
    return !next.done
  }
  do if (ctx.left?.().aborted) throw new Failure('SERVICE_UNAVAILABLE', 'The caller has left.')
  while (await turnsOf(ctx.world).batches.run(ownersOf(ctx), checkNext))
  return { ...progress.preview, fields: [...progress.fields.values()] }
}

async function addBatch(ctx: PreviewCall, { types, fields, created, preview, ...before }: Progress, batch: RowBatch): Promise<void> {
  const existing = await findExisting(ctx, batch.rows)
  const refused = await findRowsWithoutRoom(ctx, batch.rows, { ...before, existing })
  const errors = [...batch.errors, ...refused].sort((one, other) => one.row - other.row)
  preview.rows += batch.rows.length + batch.errors.length
  preview.errorsOmitted += Math.max(0, preview.errors.length + errors.length - maxListedErrors)
  preview.errors = [...preview.errors, ...errors].slice(0, maxListedErrors)
  const lines = new Set(refused.map(({ row }) => row))
  for (const { line, email, patch, subscribed } of batch.rows) {
    if (lines.has(line)) continue
    if (subscribed === false) preview.unsubscribing++
    for (const [name, type] of Object.entries(patch.types))
      if (!fields.has(name)) fields.set(name, { name, type: types.get(name) ?? type, isNew: !types.has(name) })
    if (!existing.has(email) && created.add(email)) preview.new++
    else preview.existing++
  }
}

async function findExisting({ db, projectId }: PreviewCall, rows: ImportRow[]): Promise<Set<string>> {
  const found = await db.run(selectExisting, [projectId, rows.map(({ email }) => email)])
  return new Set(found.map(({ email }) => email))
}

// A new contact with data of fewer characters as JSON has room for it.
const maxSmallData = 500

async function findRowsWithoutRoom(
  { db, projectId }: PreviewCall,
  rows: ImportRow[],
  { taken, given, existing }: Pick<Progress, 'taken' | 'given'> & { existing: Set<string> },
): Promise<RowError[]> {
  const merged = mergeRows(rows)
  const data = new Map(merged.map(({ email, patch: { set } }) => [email, withGiven(given.get(email), set)]))
  const asked = [...data].filter(([email, json]) => existing.has(email) || json.length > maxSmallData)
  const sets = asked.map(([email, json]) => `{"email":${JSON.stringify(email)},"set":${json}}`)
  const found = sets.length === 0 ? [] : await db.run(findRefused, [projectId, `[${sets.join()}]`, '{}'])
  const full = new Set(found.map(({ email }) => email))
  const room = withinFields(merged, taken, full)
  for (const { email } of room.fitting) {
    const json = data.get(email) ?? none
    if (json !== none && !full.has(email)) given.set(email, json)
  }
  return errorsOfRoom(room, full)
}

const none = '{}'

// The data that a contact would have been given, as JSON, with that of the rows before.
function withGiven(before: string | undefined, set: Record<string, Json>): string {
  return JSON.stringify(before ? { ...(JSON.parse(before) as object), ...set } : set)
}
