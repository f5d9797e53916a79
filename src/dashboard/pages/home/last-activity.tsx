import { Link } from '@tanstack/react-router'
import { useFeed } from '../../data/feed.ts'
import { useProject } from '../../data/project.tsx'
import { activityTypes, subjectOf } from '../../parts/activity.tsx'
import { Time } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge, Empty, Loading, ProblemNote } from '../../parts/state.tsx'

const everything = {}
const shown = 8

/** What has just happened. */
export function LastActivity() {
  const { id: project } = useProject()
  const { items, loading, problem, retry } = useFeed(everything, { pageSize: shown })
  return (
    <Section
      title="Last activity"
      actions={
        <Link to="/$project/activity" params={{ project }}>
          All activity
        </Link>
      }
    >
      {problem && <ProblemNote problem={problem} onRetry={retry} />}
      {items.length === 0 && loading && <Loading rows={5} />}
      {items.length === 0 && !loading && !problem && (
        <Empty icon="activity" title="Nothing has happened yet">
          Send an email or track an event: it appears here at once.
        </Empty>
      )}
      <ol className="last">
        {items.slice(0, shown).map((item) => (
          <li key={item.id}>
            <Link to="/$project/activity" params={{ project }} search={{ item: item.id }} className="feed-row">
              <Time at={item.timestamp} />
              <Badge tone={activityTypes[item.type].tone}>{activityTypes[item.type].label}</Badge>
              <span className="cut">{item.contactEmail}</span>
              <span className="cut muted">{subjectOf(item)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  )
}
