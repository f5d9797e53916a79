import type { ReactNode } from 'react'

/** A column of a table. */
export interface Column<Row> {
  name: string
  /** Right-aligned, with figures of equal width. */
  numeric?: boolean
  /** Left out on narrow screens. */
  wide?: boolean
  cell(row: Row): ReactNode
}

interface Props<Row> {
  /** What it lists, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
}

/** Rows and columns. The first column leads to the details of a row, by a link. */
export function Table<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  const styleOf = ({ numeric, wide }: Column<Row>) => `${numeric ? 'numeric ' : ''}${wide ? 'wide-only' : ''}`
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={styleOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.name} className={styleOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
