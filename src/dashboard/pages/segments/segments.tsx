import { Link, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { SegmentsDocument } from '../../graphql/graphql.ts'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'

/** The segments of the project, with how many contacts are in each. */
export function Segments() {
  const { id: project } = useProject()
  const place = useSearch({ from: '/signed-in/$project/segments' })
  const [{ data, error }, ask] = useRead({ query: SegmentsDocument, variables: pageOf(place, pageSize) })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again)
  const create = (kind: 'primary' | '') => (
    <Link to="/$project/segments/new" params={{ project }} className={`button ${kind}`}>
      Create a segment
    </Link>
  )
  return (
    <Page
      title="Segments"
      lead="Groups of contacts that campaigns are sent to and workflows ask for."
      actions={data && data.segments.nodes.length > 0 && create('primary')}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={6} />}
      {data && data.segments.nodes.length === 0 && (
        <Empty icon="users" title="No segments yet">
          <p>A segment has the contacts that match a rule, or those that you add to it.</p>
          {create('primary')}
        </Empty>
      )}
      {data && data.segments.nodes.length > 0 && (
        <div className="card list">
          <Table
            label="Segments"
            rows={data.segments.nodes}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Name',
                cell: ({ id, name, description }) => (
                  <Link to="/$project/segments/$segment" params={{ project, segment: id }} className="cell-link">
                    <strong>{name}</strong>
                    {description && <span className="muted">{description}</span>}
                  </Link>
                ),
              },
              { name: 'Members', numeric: true, cell: ({ memberCount }) => number(memberCount) },
              {
                name: 'Kind',
                wide: true,
                cell: ({ type, trackMembership, issues }) => (
                  <span className="actions">
                    {type === 'STATIC' ? 'By hand' : 'By a rule'}
                    {trackMembership && <Badge tone="info">Tracked</Badge>}
                    {issues.length > 0 && <Badge tone="bad">Needs attention</Badge>}
                  </span>
                ),
              },
              { name: 'Changed', wide: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
            ]}
          />
          <Pager info={data.segments.pageInfo} total={data.segments.totalCount} />
        </div>
      )}
    </Page>
  )
}

// The cost of a page counts up to 100 issues of each segment.
const pageSize = 25

// Who enters or leaves a tracked segment is logged as an event.
const concerns = ({ type }: LiveItem) => type === 'EVENT_TRIGGERED'
