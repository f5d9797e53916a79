import { useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { useLiveRefresh } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { type ActivityItemFragment, PersonTimelineDocument } from '../../graphql/graphql.ts'
import { activityTypes, isMachine, subjectOf } from '../../parts/activity.tsx'
import { Time } from '../../parts/facts.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'

/** Everything that happened to a contact, newest first, as it happens. */
export function Timeline({ id }: { id: string }) {
  const search = useSearch({ from: '/signed-in/$project/contacts/$contact' })
  const [{ data, error }, ask] = useRead({ query: PersonTimelineDocument, variables: { id, ...pageOf(search) } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(({ contactId }) => contactId === id, again)
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data) return <Loading rows={6} />
  const { nodes, pageInfo } = data.activity
  if (nodes.length === 0) return <Empty icon="activity" title="Nothing has happened to this contact yet" />
  return (
    <div className="card">
      <ol className="timeline" aria-label="What happened, newest first">
        {nodes.map((item) => (
          <Happened key={item.id} item={item} />
        ))}
      </ol>
      <Pager info={pageInfo} />
    </div>
  )
}

function Happened({ item }: { item: ActivityItemFragment }) {
  const { label, tone } = activityTypes[item.type]
  const { eventData } = (item.metadata ?? {}) as { eventData?: unknown }
  const hasData = typeof eventData === 'object' && eventData !== null && Object.keys(eventData).length > 0
  return (
    <li>
      <div>
        <Badge tone={tone}>{label}</Badge> {subjectOf(item)}
        {isMachine(item) && <span className="muted"> (by a program)</span>}{' '}
        <span className="muted">
          <Time at={item.timestamp} />
        </span>
        {hasData && (
          <details>
            <summary>Data</summary>
            <pre className="code">{JSON.stringify(eventData, null, 2)}</pre>
          </details>
        )}
      </div>
    </li>
  )
}
