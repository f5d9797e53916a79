import { type CsvColumn, csvOf } from '../data/csv.ts'
import { saveText } from '../data/files.ts'
import { Button } from './button.tsx'

interface Props<Row> {
  /** What it is of, for screen readers, such as Emails over time. */
  label: string
  /** The name of the file, without its end. */
  file: string
  columns: readonly CsvColumn<Row>[]
  rows: readonly Row[]
}

/** Saves what a table shows as a CSV file. */
export function SaveCsv<Row>({ label, file, columns, rows }: Props<Row>) {
  return (
    <Button
      icon="arrow-down"
      aria-label={`Save as CSV: ${label}`}
      onClick={() => saveText(csvOf(columns, rows), { name: `${file}.csv`, type: 'text/csv' })}
    >
      CSV
    </Button>
  )
}
