import { emailAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { shownCell, textOfCell } from '../../kit/csv/cells.ts'
import { type CsvRow, delimiterOf, refusal, requireRoomFor, rowsOf, toUtf8 } from '../../kit/csv/csv.ts'
import { emailColumn, findColumn, namesOf } from '../../kit/csv/header.ts'
import { maxFileBytes, maxListedErrors, type RowError } from '../../kit/csv/shapes.ts'
import { Failure } from '../../kit/errors.ts'
import { maxLookedUp, untilWithheld } from './leaving.ts'
import { SuppressionReason, type SuppressionsAdded } from './shapes.ts'
import { putOnList } from './suppressions.ts'

const rowsPerBatch = 1_000

/** A row that can be put on the list. */
interface Row {
  email: string
  reason: SuppressionReason
}

/** What a file says. */
interface Content {
  /** The rows that can be put on the list, some at a time, as JSON: the objects of a whole file could take more than 100 MB. */
  batches: Buffer[]
  count: number
  errors: RowError[]
  errorCount: number
}

interface Columns {
  email: number
  reason: number | null
}

/**
 * Puts the addresses of a CSV file on the suppression list, in batches that each commit; a stronger reason replaces a weaker one. A
 * row without a reason has the given one. Nothing is handed to a mail server for them after the answer. Rows with an error change nothing. Repeating it after a crash completes it. Fails with
 * PAYLOAD_TOO_LARGE above 5 MB, and with VALIDATION_ERROR, with nothing written, for a file that is empty, has no column `email`, more
 * than 1,000,000 rows or cannot be read.
 */
export async function importSuppressions(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { file, reason = 'MANUAL' }: { file: { bytes: Buffer }; reason?: SuppressionReason | undefined },
): Promise<SuppressionsAdded> {
  if (file.bytes.length > maxFileBytes) throw new Failure('PAYLOAD_TOO_LARGE', 'The file is larger than 5 MB.')
  // To the end before anything is written: a file that cannot be read is refused whole.
  const { batches, count, errors, errorCount } = await readFile(toUtf8(file.bytes), reason)
  let added = 0
  const some: string[] = []
  for (const batch of batches) {
    const rows = JSON.parse(batch.toString()) as Row[]
    added += await putAll(ctx, rows)
    if (some.length <= maxLookedUp) some.push(...rows.slice(0, maxLookedUp + 1).map(({ email }) => email))
  }
  await untilWithheld(ctx, some)
  return { added, alreadyThere: count - added, ...(errorCount > 0 && { errors, errorsOmitted: errorCount - errors.length }) }
}

async function readFile(text: Buffer, reason: SuppressionReason): Promise<Content> {
  const content: Content = { batches: [], count: 0, errors: [], errorCount: 0 }
  let columns: Columns | undefined
  let batch: Row[] = []
  for await (const { rows } of rowsOf([text], delimiterOf(text))) {
    for (const row of rows) {
      requireRoomFor(row, content.errorCount + content.count + batch.length + 1)
      if (columns) addRow(content, batch, readRow(row, columns, reason))
      else columns = columnsOf(row.cells)
      if (batch.length === rowsPerBatch) batch = close(content, batch)
    }
  }
  if (!columns) throw refusal('CSV file is empty', 'empty_file')
  close(content, batch)
  return content
}

function addRow(content: Content, batch: Row[], read: Row | RowError): void {
  if (!('error' in read)) batch.push(read)
  else if (++content.errorCount <= maxListedErrors) content.errors.push(read)
}

// Returns the next batch.
function close(content: Content, batch: Row[]): Row[] {
  content.batches.push(Buffer.from(JSON.stringify(batch)))
  content.count += batch.length
  return []
}

function columnsOf(header: string[]): Columns {
  const names = namesOf(header)
  return { email: emailColumn(names), reason: findColumn(names, 'reason') }
}

function readRow({ cells, line }: CsvRow, columns: Columns, otherwise: SuppressionReason): Row | RowError {
  const given = textOfCell(cells[columns.email] ?? '')
  const email = emailAddress(given)
  const refuse = (error: string): RowError => ({ row: line, email: shownCell(given), error })
  if (email === null) return refuse(given === '' ? 'The email address is missing.' : 'This is not an email address.')
  const word = columns.reason === null ? '' : textOfCell(cells[columns.reason] ?? '').toUpperCase()
  const reason = SuppressionReason.safeParse(word === '' ? otherwise : word)
  if (!reason.success) return refuse(`The reason must be one of ${SuppressionReason.options.join(', ')}, or empty.`)
  return { email, reason: reason.data }
}

// One statement per reason, from weak to strong.
async function putAll(ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>, rows: Row[]): Promise<number> {
  let added = 0
  for (const reason of SuppressionReason.options) {
    const emails = [...new Set(rows.flatMap((row) => (row.reason === reason ? row.email : [])))]
    if (emails.length > 0) added += await putOnList(ctx, { emails, reason, source: 'IMPORT' })
  }
  return added
}
