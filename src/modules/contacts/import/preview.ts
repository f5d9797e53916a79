import type { z } from 'zod'
import type { Ctx } from '../../../kit/context.ts'
import { rowsOf } from '../../../kit/csv/csv.ts'
import { maxListedErrors, type RowError } from '../../../kit/csv/shapes.ts'
import { batchesOf } from './continue.ts'
import { errorsOfRoom, withinFields } from './room.ts'
import { type ImportRow, mergeRows } from './rows.ts'
import type { ImportInput, ImportPreview } from './shapes.ts'
import { findRefused, selectExisting } from './sql.ts'
import { typesOf } from './write.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/**
 * What an import of a file would do, by the rules of the import; nothing is changed. Fails with VALIDATION_ERROR when a row of it
 * cannot be read, and when there are more than 1,000,000.
 */
export async function previewImport(ctx: Call, text: Buffer, input: z.output<typeof ImportInput>): Promise<ImportPreview> {
  const { delimiter, columns, start } = input
  const types = await typesOf(ctx.db, ctx.projectId)
  const taken = new Set(types.keys())
  const fields = new Map<string, ImportPreview['fields'][number]>()
  const created = new Set<string>()
  const preview: ImportPreview = { rows: 0, new: 0, existing: 0, fields: [], errors: [], errorsOmitted: 0 }
  for await (const { batch } of batchesOf(rowsOf([text.subarray(start.offset)], delimiter, start), columns, { ...start, rows: 0 })) {
    const refused = await findRowsWithoutRoom(ctx, batch.rows, taken)
    const errors = [...batch.errors, ...refused].sort((one, other) => one.row - other.row)
    preview.rows += batch.rows.length + batch.errors.length
    preview.errorsOmitted += Math.max(0, preview.errors.length + errors.length - maxListedErrors)
    preview.errors = [...preview.errors, ...errors].slice(0, maxListedErrors)
    const lines = new Set(refused.map(({ row }) => row))
    const rows = batch.rows.filter(({ line }) => !lines.has(line))
    for (const { patch } of rows)
      for (const [name, type] of Object.entries(patch.types))
        if (!fields.has(name)) fields.set(name, { name, type: types.get(name) ?? type, isNew: !types.has(name) })
    const before = created.size
    await addNew(
      ctx,
      rows.map(({ email }) => email),
      created,
    )
    preview.new += created.size - before
    preview.existing += rows.length - (created.size - before)
  }
  return { ...preview, fields: [...fields.values()] }
}

async function findRowsWithoutRoom({ db, projectId }: Call, rows: ImportRow[], fields: Set<string>): Promise<RowError[]> {
  const room = withinFields(mergeRows(rows), fields)
  const sent = room.fitting.map(({ email, patch }) => ({ email, set: patch.set }))
  const full = await db.run(findRefused, [projectId, JSON.stringify(sent), '{}'])
  return errorsOfRoom(
    room,
    full.map(({ email }) => email),
  )
}

async function addNew({ db, projectId }: Call, emails: string[], created: Set<string>): Promise<void> {
  const existing = new Set((await db.run(selectExisting, [projectId, emails])).map(({ email }) => email))
  for (const email of emails) if (!existing.has(email)) created.add(email)
}
