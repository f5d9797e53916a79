import type { RowError } from '../../../kit/csv/shapes.ts'
import type { MergedRow } from './rows.ts'

const maxFields = 2_000

/** Rows for whose new fields a project has room, those for which it has not, and what was added to the fields of the project. */
export interface RowsWithinFields {
  fitting: MergedRow[]
  refused: MergedRow[]
  added: MergedRow['patch'][]
}

/** Sorts rows by whether the project has room for their fields; the fields of those that fit are added to its `fields`. */
export function withinFields(rows: MergedRow[], fields: Set<string>): RowsWithinFields {
  const sorted: RowsWithinFields = { fitting: [], refused: [], added: [] }
  for (const row of rows) {
    const fresh = Object.keys(row.patch.types).filter((key) => !fields.has(key))
    if (fields.size + fresh.length > maxFields && fresh.length > 0) {
      sorted.refused.push(row)
      continue
    }
    sorted.fitting.push(row)
    if (fresh.length > 0) sorted.added.push(row.patch)
    for (const key of fresh) fields.add(key)
  }
  return sorted
}

/** The errors of the rows that have no room: those refused for their fields, and of the others those of the addresses in `full`. */
export function errorsOfRoom({ fitting, refused }: RowsWithinFields, full: string[]): RowError[] {
  return [...refused.flatMap(noRoomForFields), ...fitting.filter(({ email }) => full.includes(email)).flatMap(noRoom)]
}

function noRoom({ email, lines }: MergedRow): RowError[] {
  const error = 'The contact has no room for the data: it holds at most 500 keys and 128 KB as JSON.'
  return lines.map((row) => ({ row, email, error }))
}

function noRoomForFields({ email, lines }: MergedRow): RowError[] {
  const error = `The project has no room for the new fields of this row: it has at most ${maxFields.toLocaleString('en-US')} custom fields.`
  return lines.map((row) => ({ row, email, error }))
}
