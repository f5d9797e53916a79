import { Link } from '@tanstack/react-router'
import type { SuppressionsQuery } from '../../graphql/graphql.ts'
import { Address } from '../../parts/address.tsx'
import { Time } from '../../parts/facts.tsx'
import { Badge } from '../../parts/state.tsx'
import { reasons } from '../../parts/suppression.ts'
import { Table } from '../../parts/table.tsx'

type Row = SuppressionsQuery['suppressions']['nodes'][number]

/** The addresses of a page; each leads to its details. */
export function List({ suppressions }: { suppressions: readonly Row[] }) {
  return (
    <Table
      label="Suppressed addresses"
      rows={suppressions}
      keyOf={({ email }) => email}
      columns={[
        {
          name: 'Address',
          cell: ({ email }) => (
            <Link to="." search={(before: object) => ({ ...before, address: email })} resetScroll={false} className="cell-link">
              <strong>
                <Address of={email} />
              </strong>
            </Link>
          ),
        },
        { name: 'Reason', cell: ({ reason }) => <Badge tone={reasons[reason].tone}>{reasons[reason].label}</Badge> },
        { name: 'Cause', wide: true, cell: ({ causedBy, reasonText }) => reasonText ?? causedBy?.subject },
        { name: 'Since', wide: true, cell: ({ since }) => <Time at={since} /> },
      ]}
    />
  )
}
