import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { number, words } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import type { SegmentUsageQuery } from '../../graphql/graphql.ts'

type Usage = NonNullable<SegmentUsageQuery['segment']>['usage']

/** The campaigns, workflows and segments that refer to a segment. */
export function Uses({ usage: { campaigns, workflows, segments } }: { usage: Usage }) {
  const { id: project } = useProject()
  if (campaigns.totalCount + workflows.totalCount + segments.totalCount === 0) return <p className="muted">Nothing uses it.</p>
  return (
    <>
      <Use title="Campaigns" total={campaigns.totalCount} shown={campaigns.nodes.length}>
        {campaigns.nodes.map(({ id, name, status }) => (
          <li key={id} className="row">
            <span>{name}</span>
            <span className="muted">{words(status)}</span>
          </li>
        ))}
      </Use>
      <Use title="Workflows" total={workflows.totalCount} shown={workflows.nodes.length}>
        {workflows.nodes.map(({ id, name, enabled }) => (
          <li key={id} className="row">
            <Link to="/$project/workflows/$workflow" params={{ project, workflow: id }}>
              {name}
            </Link>
            <span className="muted">{enabled ? 'Enabled' : 'Disabled'}</span>
          </li>
        ))}
      </Use>
      <Use title="Segments" total={segments.totalCount} shown={segments.nodes.length}>
        {segments.nodes.map(({ id, name }) => (
          <li key={id} className="row">
            <Link to="/$project/segments/$segment" params={{ project, segment: id }}>
              {name}
            </Link>
          </li>
        ))}
      </Use>
    </>
  )
}

function Use({ title, total, shown, children }: { title: string; total: number; shown: number; children: ReactNode }) {
  if (total === 0) return null
  return (
    <div>
      <h3>
        {title} ({number(total)})
      </h3>
      <ul className="rows">{children}</ul>
      {total > shown && <p className="muted">And {number(total - shown)} more.</p>}
    </div>
  )
}
