import { textOfCell } from './cells.ts'
import { refusal } from './csv.ts'

/** The names of the columns of a file, from its first row. */
export function namesOf(header: string[]): string[] {
  return header.map(textOfCell)
}

/** Where a column is, from 0, found in upper and lower case, before others in the spelling asked for; null without one. */
export function findColumn(names: string[], wanted: string): number | null {
  const exact = names.indexOf(wanted)
  const at = exact === -1 ? names.findIndex((name) => name.toLowerCase() === wanted) : exact
  return at === -1 ? null : at
}

/** Where the column `email` is. Fails with VALIDATION_ERROR without one. */
export function emailColumn(names: string[]): number {
  const at = findColumn(names, 'email')
  if (at === null) throw refusal('CSV must have an "email" column (case-insensitive)', 'no_email_column')
  return at
}
