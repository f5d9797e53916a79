import type { RowError } from '../../../kit/csv/shapes.ts'
import type { MergedRow } from './rows.ts'

const maxFields = 2_000

/** Rows for whose new fields a project has room, those for which it has not, and the fields that the former added. */
export interface RowsWithinFields {
  fitting: MergedRow[]
  refused: MergedRow[]
  added: Set<string>
}

/**
 * Sorts rows by whether the project has room for their fields. The fields of those that fit are added to its `fields`, except of the
 * addresses in `full`, whose contact has no room: they will change nothing.
 */
export function withinFields(rows: MergedRow[], fields: Set<string>, full: Set<string>): RowsWithinFields {
  const sorted: RowsWithinFields = { fitting: [], refused: [], added: new Set() }
  for (const row of rows) {
    const fresh = Object.keys(row.patch.types).filter((key) => !fields.has(key))
    if (fields.size + fresh.length > maxFields && fresh.length > 0) {
      sorted.refused.push(row)
      continue
    }
    sorted.fitting.push(row)
    if (full.has(row.email)) continue
    for (const key of fresh) {
      fields.add(key)
      sorted.added.add(key)
    }
  }
  return sorted
}

/** The errors of the rows that have no room: those refused for their fields, and of the others those of the addresses in `full`. */
export function errorsOfRoom({ fitting, refused }: RowsWithinFields, full: Set<string>): RowError[] {
  return [...refused.flatMap(noRoomForFields), ...fitting.filter(({ email }) => full.has(email)).flatMap(noRoom)]
}

function noRoom({ email, lines }: MergedRow): RowError[] {
  const error = 'The contact has no room for the data: it holds at most 500 keys and 128 KB as JSON.'
  return lines.map((row) => ({ row, email, error }))
}

function noRoomForFields({ email, lines }: MergedRow): RowError[] {
  const error = `The project has no room for the new fields of this row: it has at most ${maxFields.toLocaleString('en-US')} custom fields.`
  return lines.map((row) => ({ row, email, error }))
}
