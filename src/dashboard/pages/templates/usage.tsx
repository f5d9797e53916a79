import { Link } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number, words } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { TemplateUsageDocument } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { Badge, Loading, ProblemNote } from '../../parts/state.tsx'
import { countsForTemplates, refreshMs } from './live.ts'

/** What uses a template: emails, campaigns and steps of workflows. */
export function Usage({ id }: { id: string }) {
  const { id: project } = useProject()
  const [{ data, error }, ask] = useRead({ query: TemplateUsageDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(countsForTemplates, again, refreshMs)
  const { usage, workflowSteps } = data?.template ?? {}
  return (
    <Section title="Where it is used">
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!usage && !error && <Loading rows={2} />}
      {usage && (
        <p>
          {number(usage.emailsSent)} {usage.emailsSent === 1 ? 'email was' : 'emails were'} sent from it.
          {usage.campaigns.totalCount === 0 && workflowSteps?.totalCount === 0 && ' No campaign and no workflow uses it.'}
        </p>
      )}
      <ul className="rows">
        {usage?.campaigns.nodes.map((campaign) => (
          <li key={campaign.id} className="row">
            <Link to="/$project/campaigns/$campaign" params={{ project, campaign: campaign.id }} className="cut">
              {campaign.name}
            </Link>
            <span className="muted">Campaign</span>
            <Badge>{words(campaign.status)}</Badge>
          </li>
        ))}
        {workflowSteps?.nodes.map(({ id: step, name, workflow }) => (
          <li key={step} className="row">
            <Link to="/$project/workflows/$workflow" params={{ project, workflow: workflow.id }} search={{ step }} className="cut">
              {workflow.name}: {name}
            </Link>
            <span className="muted">Step of a workflow</span>
            <Badge tone={workflow.enabled ? 'good' : 'neutral'}>{workflow.enabled ? 'Enabled' : 'Disabled'}</Badge>
          </li>
        ))}
      </ul>
      {(usage?.campaigns.totalCount ?? 0) > 20 && (
        <p className="muted">The newest 20 of {number(usage?.campaigns.totalCount ?? 0)} campaigns.</p>
      )}
    </Section>
  )
}
