import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { RemoveMembersDocument, SegmentMembersDocument } from '../../graphql/graphql.ts'
import { Address } from '../../parts/address.tsx'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { toast } from '../../parts/toast.tsx'
import { EditMembers } from './edit-members.tsx'
import type { FoundSegment } from './found.ts'
import type { SegmentSearch } from './search.ts'

/** Who is in a segment at the moment; of one by hand, contacts are added and removed here. */
export function Members({ segment, onChange }: { segment: FoundSegment; onChange(): void }) {
  const { id, type } = segment
  const search = useSearch({ from: '/signed-in/$project/segments/$segment' })
  const navigate = useNavigate({ from: '/$project/segments/$segment' })
  const change = (next: SegmentSearch) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const variables = { id, ...(search.q && { filter: { search: search.q } }), ...pageOf(search) }
  const [{ data, error }, ask] = useRead({ query: SegmentMembersDocument, variables })
  const refresh = () => {
    ask({ requestPolicy: 'network-only' })
    onChange()
  }
  useLiveRefresh(
    ({ type }) => type === 'EVENT_TRIGGERED' && segment.trackMembership,
    () => ask({ requestPolicy: 'network-only' }),
  )
  const { nodes, pageInfo } = data?.segment?.contacts ?? { nodes: [] }
  return (
    <>
      <div className="filters">
        <SearchField label="Search addresses" value={search.q} onSearch={(q) => change({ q, after: undefined, before: undefined })} />
        {type === 'STATIC' && (
          <>
            <span className="grow" />
            <Button onClick={() => change({ open: 'remove' })}>Remove by address</Button>
            <Button kind="primary" icon="plus" onClick={() => change({ open: 'add' })}>
              Add by address
            </Button>
          </>
        )}
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={refresh} />}
      {!data && !error && <Loading rows={6} />}
      {data && nodes.length === 0 && <Nobody isFiltered={search.q !== undefined} isStatic={type === 'STATIC'} />}
      {nodes.length > 0 && (
        <div className="card list">
          <Rows segment={segment} contacts={nodes} onRemoved={refresh} />
          {pageInfo && <Pager info={pageInfo} />}
        </div>
      )}
      {type === 'STATIC' && <EditMembers id={id} open={search.open} onClose={() => change({ open: undefined })} onChanged={refresh} />}
    </>
  )
}

function Nobody({ isFiltered, isStatic }: { isFiltered: boolean; isStatic: boolean }) {
  if (isFiltered) return <Empty icon="search" title="No member has such an address" />
  return (
    <Empty icon="users" title="Nobody is in it">
      {isStatic ? 'Add contacts by their addresses.' : 'No contact matches the rule at the moment.'}
    </Empty>
  )
}

interface Contact {
  id: string
  email: string
  subscribed: boolean
  createdAt: string
}

function Rows({ segment, contacts, onRemoved }: { segment: FoundSegment; contacts: readonly Contact[]; onRemoved(): void }) {
  const { id: project } = useProject()
  const { run, problem } = useAction(RemoveMembersDocument)
  const remove = async (email: string) => {
    if (!(await run({ input: { id: segment.id, emails: [email] } }))) return
    toast(`${email} has been removed from the segment`)
    onRemoved()
  }
  const offer = ({ id, email }: Contact) =>
    segment.type === 'STATIC' ? (
      <Button onClick={() => remove(email)} aria-label={`Remove ${email}`}>
        Remove
      </Button>
    ) : (
      <Link
        to="/$project/segments/$segment"
        params={{ project, segment: segment.id }}
        search={{ tab: 'why', contact: id }}
        className="button"
        aria-label={`Why is ${email} in?`}
      >
        Why?
      </Link>
    )
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Table
        label="Members"
        rows={contacts}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Address',
            cell: ({ id, email }) => (
              <Link to="/$project/contacts/$contact" params={{ project, contact: id }} className="cell-link">
                <strong>
                  <Address of={email} />
                </strong>
              </Link>
            ),
          },
          {
            name: 'Marketing',
            wide: true,
            cell: ({ subscribed }) => (subscribed ? <Badge tone="good">Subscribed</Badge> : <Badge tone="warn">Unsubscribed</Badge>),
          },
          { name: 'Created', wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          { name: segment.type === 'STATIC' ? 'Action' : 'Reason', cell: offer },
        ]}
      />
    </>
  )
}
