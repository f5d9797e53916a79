import { emailAddress } from '../../../kit/address.ts'
import { shownCell, textOfCell, valueOfCell } from '../../../kit/csv/cells.ts'
import type { CsvRow } from '../../../kit/csv/csv.ts'
import type { RowError } from '../../../kit/csv/shapes.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Json } from '../../../kit/shapes.ts'
import { whyUnstorable } from '../../../kit/unstorable.ts'
import type { Columns } from '../csv/columns.ts'
import { type DataPatch, mergePatches, sortPlainData } from '../data.ts'
import type { GivenField } from '../fields/columns.ts'
import type { Contact } from '../shapes.ts'

// Null where the cell is empty.
type GivenCells = { [Field in Exclude<GivenField, 'email'>]: Contact[Field] | null }

/** A row that can be imported: what it changes. */
export interface ImportRow extends GivenCells {
  line: number
  email: string
  patch: Pick<DataPatch, 'set' | 'types'>
}

const yes = ['true', '1', 'yes']

/** Reads a row by the rules for custom data; cells beyond the columns are ignored, and those that are missing are empty. */
export function readRow({ cells, line }: CsvRow, columns: Columns): ImportRow | RowError {
  const given = textOfCell(cells[columns.email] ?? '')
  const email = emailAddress(given)
  const refuse = (error: string): RowError => ({ row: line, email: shownCell(given), error })
  if (email === null) return refuse(given === '' ? 'The email address is missing.' : 'This is not an email address.')
  try {
    return { line, email, subscribed: subscriptionOf(cells, columns), patch: sortPlainData(dataOf(cells, columns)) }
  } catch (error) {
    if (error instanceof Failure) return refuse(`The data ${error.message}.`)
    throw error
  }
}

/** Whether a row was refused. */
export function isRefused(row: ImportRow | RowError): row is RowError {
  return 'error' in row
}

/** The rows of one contact as one: `lines` are theirs, and `optsOut` says whether one of them unsubscribes. */
export type MergedRow = Omit<ImportRow, 'line'> & { lines: number[]; optsOut: boolean }

/** Rows of the same contact as one, in which later ones win. */
export function mergeRows(rows: ImportRow[]): MergedRow[] {
  const merged = new Map<string, MergedRow>()
  for (const row of rows) {
    const before = merged.get(row.email)
    merged.set(row.email, before ? later(before, row) : { ...row, lines: [row.line], optsOut: row.subscribed === false })
  }
  return [...merged.values()]
}

function later(before: MergedRow, row: ImportRow): MergedRow {
  const { set } = mergePatches({ ...before.patch, removed: [] }, { ...row.patch, removed: [] })
  return {
    email: row.email,
    subscribed: row.subscribed ?? before.subscribed,
    // The type of a field is that of the first value seen.
    patch: { set, types: { ...row.patch.types, ...before.patch.types } },
    lines: [...before.lines, row.line],
    optsOut: before.optsOut || row.subscribed === false,
  }
}

function subscriptionOf(cells: string[], { subscribed }: Columns): boolean | null {
  const cell = subscribed === null ? '' : (cells[subscribed] ?? '').trim().toLowerCase()
  return cell === '' ? null : yes.includes(cell)
}

function dataOf(cells: string[], { fields }: Columns): Record<string, Json> {
  const data: Record<string, Json> = {}
  for (const { at, key } of fields) {
    const cell = cells[at]
    // In a file of short rows the other columns would take most of the time.
    if (cell === undefined) break
    if (cell.trim() === '') continue
    const problem = whyUnstorable(cell)
    if (problem) throw new Failure('VALIDATION_ERROR', `of "${key}" ${problem}`)
    data[key] = valueOfCell(cell)
  }
  return data
}
