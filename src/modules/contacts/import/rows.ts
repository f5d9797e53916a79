import { emailAddress } from '../../../kit/address.ts'
import { shownCell, textOfCell, valueOfCell } from '../../../kit/csv/cells.ts'
import type { CsvRow } from '../../../kit/csv/csv.ts'
import type { RowError } from '../../../kit/csv/shapes.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Json } from '../../../kit/shapes.ts'
import { whyUnstorable } from '../../../kit/unstorable.ts'
import type { Columns } from '../csv/columns.ts'
import { type DataPatch, maxStoredBytes, sortPlainData, tooLarge } from '../data.ts'
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

/** Rows of the same contact as one, in which later ones win. Each is looked at once, however many there are of a contact. */
export function mergeRows(rows: ImportRow[]): MergedRow[] {
  const merged = new Map<string, MergedRow>()
  for (const row of rows) {
    const before = merged.get(row.email)
    if (before) add(before, row)
    else merged.set(row.email, begun(row))
  }
  return [...merged.values()]
}

function begun({ patch, ...row }: ImportRow): MergedRow {
  return { ...row, patch: { set: { ...patch.set }, types: { ...patch.types } }, lines: [row.line], optsOut: row.subscribed === false }
}

function add(merged: MergedRow, { patch, subscribed, line }: ImportRow): void {
  const { set, types } = merged.patch
  Object.assign(set, patch.set)
  // The type of a field is that of the first value seen.
  for (const key in patch.types) if (!Object.hasOwn(types, key)) types[key] = patch.types[key] ?? 'string'
  merged.subscribed = subscribed ?? merged.subscribed
  merged.optsOut ||= subscribed === false
  merged.lines.push(line)
}

function subscriptionOf(cells: string[], { subscribed }: Columns): boolean | null {
  const cell = subscribed === null ? '' : (cells[subscribed] ?? '').trim().toLowerCase()
  return cell === '' ? null : yes.includes(cell)
}

function dataOf(cells: string[], { fields }: Columns): Record<string, Json> {
  const data: Record<string, Json> = {}
  let characters = 0
  for (const { at, key } of fields) {
    const cell = cells[at]
    // In a file of short rows the other columns would take most of the time.
    if (cell === undefined) break
    const text = cell.trim()
    if (text === '') continue
    characters += text.length
    // Before it is read as JSON: nobody could store it.
    if (characters > maxStoredBytes) throw tooLarge()
    const problem = whyUnstorable(cell)
    if (problem) throw new Failure('VALIDATION_ERROR', `of "${key}" ${problem}`)
    data[key] = valueOfCell(cell)
  }
  return data
}
