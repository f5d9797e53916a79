import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { PersonSegmentsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Why } from '../../parts/why.tsx'

/** The segments of the project: whether the contact is in each, and why. */
export function Memberships({ id }: { id: string }) {
  const { id: project } = useProject()
  const search = useSearch({ from: '/signed-in/$project/contacts/$contact' })
  const navigate = useNavigate({ from: '/$project/contacts/$contact' })
  const [{ data, error }, ask] = useRead({ query: PersonSegmentsDocument, variables: { id, ...pageOf(search, 25) } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId }) => contactId === id, again)
  const explain = (why: string | undefined) => void navigate({ search: (before) => ({ ...before, why }), resetScroll: false })
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data) return <Loading rows={6} />
  const { nodes, pageInfo } = data.segments
  if (nodes.length === 0)
    return (
      <Empty icon="users" title="No segments yet">
        <Link to="/$project/segments/new" params={{ project }} className="button">
          Create a segment
        </Link>
      </Empty>
    )
  const memberOf = new Set(data.contact?.segments.nodes.map((one) => one.id))
  return (
    <div className="card list">
      <Table
        label="Segments"
        rows={nodes}
        keyOf={(segment) => segment.id}
        columns={[
          {
            name: 'Segment',
            cell: (segment) => (
              <Link to="/$project/segments/$segment" params={{ project, segment: segment.id }} className="cell-link">
                <strong>{segment.name}</strong>
              </Link>
            ),
          },
          { name: 'Membership', cell: (segment) => <State segment={segment} isListed={memberOf.has(segment.id)} /> },
          {
            name: 'Reason',
            cell: (segment) => (
              <Button onClick={() => explain(segment.id)} aria-label={`Why in or out of ${segment.name}`}>
                Why?
              </Button>
            ),
          },
        ]}
      />
      <Pager info={pageInfo} />
      <Dialog kind="drawer" title="Why in or out" open={search.why !== undefined} onClose={() => explain(undefined)}>
        {search.why && <Why segmentId={search.why} contactId={id} />}
      </Dialog>
    </div>
  )
}

// Members of segments that are not tracked are found when they are asked for.
function State({
  segment: { type, trackMembership },
  isListed,
}: {
  segment: { type: string; trackMembership: boolean }
  isListed: boolean
}) {
  if (isListed) return <Badge tone="good">In</Badge>
  if (type === 'STATIC' || trackMembership) return <Badge>Out</Badge>
  return <span className="muted">Ask why</span>
}
