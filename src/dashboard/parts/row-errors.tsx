import { number } from '../data/format.ts'
import { Table } from './table.tsx'

interface RowError {
  row: number
  email: string
  error: string
}

/** The rows of a file that are wrong, and why. */
export function RowErrors({ errors, omitted }: { errors: readonly RowError[]; omitted: number }) {
  if (errors.length === 0) return null
  return (
    <>
      <Table
        label="Rows with an error"
        rows={errors}
        keyOf={({ row, error }) => `${row} ${error}`}
        columns={[
          { name: 'Line', numeric: true, cell: ({ row }) => number(row) },
          { name: 'Address', cell: ({ email }) => email },
          { name: 'Why it is skipped', cell: ({ error }) => error },
        ]}
      />
      {omitted > 0 && <p className="muted">And {number(omitted)} more.</p>}
    </>
  )
}
