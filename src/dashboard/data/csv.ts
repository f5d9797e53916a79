/** A column of a CSV file. */
export interface CsvColumn<Row> {
  name: string
  value(row: Row): string | number | null
}

// Spreadsheets run a cell that begins like this as a formula, unless an apostrophe is before it (OWASP, "CSV Injection").
const formula = /^[=+\-@\t\r]/

/** Rows as CSV (RFC 4180), with the names of the columns first. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))]
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
