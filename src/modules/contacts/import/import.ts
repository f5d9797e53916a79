import type { z } from 'zod'
import type { Ctx } from '../../../kit/context.ts'
import { delimiterOf, refusal, rowsOf, toUtf8 } from '../../../kit/csv/csv.ts'
import { maxFileBytes } from '../../../kit/csv/shapes.ts'
import { Failure } from '../../../kit/errors.ts'
import { cancelJob, createJob, getJob } from '../../jobs/job.ts'
import { type JobQueued, type JobRow, resultOf } from '../../jobs/shapes.ts'
import { columnsOf } from '../csv/columns.ts'
import { type PreviewCall, previewImport, whenFree } from './preview.ts'
import { type CsvForm, type ImportInput, type ImportPreview, ImportResult } from './shapes.ts'

/**
 * Imports contacts from a CSV file, in the background: a row creates a contact, or merges its data into the contact of its
 * address. With `dryRun` it does what checkImport does. Fails with PAYLOAD_TOO_LARGE above 5 MB, with VALIDATION_ERROR for a file
 * that is empty, has no column `email` or cannot be read, and with LIMIT_REACHED while 20 jobs of the project wait or run.
 */
export async function importContacts(ctx: Ctx, form: Omit<CsvForm, 'dryRun'>): Promise<JobQueued>
export async function importContacts(ctx: Ctx, form: CsvForm): Promise<JobQueued | ImportPreview>
export async function importContacts(ctx: Ctx, { file, dryRun }: CsvForm): Promise<JobQueued | ImportPreview> {
  if (dryRun) return checkImport(ctx, { file })
  const { text, input } = await readFile(file)
  const jobId = await createJob(ctx, { kind: 'import', input, file: text })
  return { message: 'Import queued successfully', jobId }
}

/**
 * What an import of a CSV file would do; nothing is changed. Of each account one file is checked at a time, and others take turns with it.
 * Fails with PAYLOAD_TOO_LARGE and VALIDATION_ERROR as the import does, and with SERVICE_UNAVAILABLE when its turn has not come after
 * 15 s or the caller has left.
 */
export function checkImport(ctx: PreviewCall, { file }: Omit<CsvForm, 'dryRun'>): Promise<ImportPreview> {
  return whenFree(ctx, async () => {
    const { text, input } = await readFile(file)
    return previewImport(ctx, text, input)
  })
}

async function readFile({ bytes }: CsvForm['file']): Promise<{ text: Buffer; input: z.output<typeof ImportInput> }> {
  if (bytes.length > maxFileBytes) throw new Failure('PAYLOAD_TOO_LARGE', 'The file is larger than 5 MB.')
  const text = toUtf8(bytes)
  return { text, input: await inputOf(text) }
}

async function inputOf(text: Buffer): Promise<z.output<typeof ImportInput>> {
  const delimiter = delimiterOf(text)
  for await (const { rows } of rowsOf([text], delimiter)) {
    const [header] = rows
    if (header) return { delimiter, columns: columnsOf(header.cells), start: header.end, bytes: text.length }
  }
  throw refusal('CSV file is empty', 'empty_file')
}

/** The job of an import. Fails with RESOURCE_NOT_FOUND, also for a job that is no import. */
export async function getImport(ctx: Ctx, { jobId }: { jobId: string }) {
  return importOf(await getJob(ctx, { id: jobId, kind: 'import' }))
}

/** Cancels an import: rows that were imported stay. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it has ended. */
export async function cancelImport(ctx: Ctx, { jobId }: { jobId: string }) {
  return importOf(await cancelJob(ctx, { id: jobId, kind: 'import' }))
}

function importOf(row: JobRow) {
  const { kind: _, ...job } = row
  return { ...job, result: resultOf(row, 'import', ImportResult) }
}
