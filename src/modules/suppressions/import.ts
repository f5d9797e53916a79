import { emailAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { shownCell, textOfCell } from '../../kit/csv/cells.ts'
import { type CsvRow, delimiterOf, refusal, rowsOf, toUtf8 } from '../../kit/csv/csv.ts'
import { emailColumn, findColumn, namesOf } from '../../kit/csv/header.ts'
import { maxListedErrors, type RowError } from '../../kit/csv/shapes.ts'
import { SuppressionReason, type SuppressionsAdded } from './shapes.ts'
import { putOnList } from './suppressions.ts'

const rowsPerBatch = 1_000

/** A row that can be put on the list. */
interface Row {
  email: string
  reason: SuppressionReason
}

interface Columns {
  email: number
  reason: number | null
}

/**
 * Puts the addresses of a CSV file on the suppression list, in batches that each commit; a stronger reason replaces a weaker one,
 * and without one it is MANUAL. Rows with an error change nothing. Repeating it after a crash completes it. Fails with
 * VALIDATION_ERROR, with nothing written, for a file that is empty, has no column `email` or cannot be read.
 */
export async function importSuppressions(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { file }: { file: { bytes: Buffer } },
): Promise<SuppressionsAdded> {
  const text = toUtf8(file.bytes)
  // To the end before anything is written: a file that cannot be read is refused whole.
  const columns = await columnsOf(text)
  const errors: RowError[] = []
  let [added, alreadyThere, batch, failed] = [0, 0, [] as Row[], 0]
  const flush = async (): Promise<void> => {
    const fresh = await putAll(ctx, batch)
    added += fresh
    alreadyThere += batch.length - fresh
    batch = []
  }
  for await (const row of rowsAfterHeader(text)) {
    const read = readRow(row, columns)
    if ('error' in read) failed = errors.length < maxListedErrors ? errors.push(read) : failed + 1
    else batch.push(read)
    if (batch.length === rowsPerBatch) await flush()
  }
  await flush()
  return { added, alreadyThere, ...(failed > 0 && { errors, errorsOmitted: failed - errors.length }) }
}

async function* rowsAfterHeader(text: Buffer): AsyncGenerator<CsvRow, void> {
  let isFirst = true
  for await (const row of rowsOf([text], delimiterOf(text))) {
    if (!isFirst) yield row
    isFirst = false
  }
}

async function columnsOf(text: Buffer): Promise<Columns> {
  let columns: Columns | undefined
  for await (const { cells } of rowsOf([text], delimiterOf(text))) {
    if (columns) continue
    const names = namesOf(cells)
    columns = { email: emailColumn(names), reason: findColumn(names, 'reason') }
  }
  if (!columns) throw refusal('CSV file is empty', 'empty_file')
  return columns
}

function readRow({ cells, line }: CsvRow, columns: Columns): Row | RowError {
  const given = textOfCell(cells[columns.email] ?? '')
  const email = emailAddress(given)
  const refuse = (error: string): RowError => ({ row: line, email: shownCell(given), error })
  if (email === null) return refuse(given === '' ? 'The email address is missing.' : 'This is not an email address.')
  const word = columns.reason === null ? '' : textOfCell(cells[columns.reason] ?? '').toUpperCase()
  const reason = SuppressionReason.safeParse(word === '' ? 'MANUAL' : word)
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
