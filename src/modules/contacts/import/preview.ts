import type { z } from 'zod'
import type { Ctx } from '../../../kit/context.ts'
import { rowsOf } from '../../../kit/csv/csv.ts'
import { maxListedErrors } from '../../../kit/csv/shapes.ts'
import { batchesOf } from './continue.ts'
import type { ImportInput, ImportPreview } from './shapes.ts'
import { selectExisting } from './sql.ts'
import { typesOf } from './write.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** What an import of a file would do; nothing is changed. Fails with VALIDATION_ERROR when a row of it cannot be read. */
export async function previewImport(ctx: Call, text: Buffer, input: z.output<typeof ImportInput>): Promise<ImportPreview> {
  const { delimiter, columns, start } = input
  const types = await typesOf(ctx.db, ctx.projectId)
  const fields = new Map<string, ImportPreview['fields'][number]>()
  const created = new Set<string>()
  const preview: ImportPreview = { rows: 0, new: 0, existing: 0, fields: [], errors: [], errorsOmitted: 0 }
  const rows = rowsOf([text.subarray(start.offset)], delimiter, start)
  for await (const { batch } of batchesOf(rows, columns, start)) {
    preview.rows += batch.rows.length + batch.errors.length
    preview.errorsOmitted += Math.max(0, preview.errors.length + batch.errors.length - maxListedErrors)
    preview.errors = [...preview.errors, ...batch.errors].slice(0, maxListedErrors)
    for (const { patch } of batch.rows)
      for (const [name, type] of Object.entries(patch.types))
        if (!fields.has(name)) fields.set(name, { name, type: types.get(name) ?? type, isNew: !types.has(name) })
    const before = created.size
    await addNew(
      ctx,
      batch.rows.map(({ email }) => email),
      created,
    )
    preview.new += created.size - before
    preview.existing += batch.rows.length - (created.size - before)
  }
  return { ...preview, fields: [...fields.values()] }
}

async function addNew({ db, projectId }: Call, emails: string[], created: Set<string>): Promise<void> {
  const existing = new Set((await db.run(selectExisting, [projectId, emails])).map(({ email }) => email))
  for (const email of emails) if (!existing.has(email)) created.add(email)
}
