import { Link } from '@tanstack/react-router'
import { number } from '../../../data/format.ts'
import type { WorkflowIssueItemFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Badge } from '../../../parts/state.tsx'
import { kinds } from '../kinds.ts'
import type { WorkflowProgress } from '../progress.ts'

interface Props {
  step: WorkflowStepItemFragment
  summary: string
  issues: readonly WorkflowIssueItemFragment[]
  counts: WorkflowProgress['steps'][number] | undefined
}

/** A step: what it does, what is wrong with it, and how many executions are at it. It leads to its form. */
export function StepLine({ step: { id, name, type }, summary, issues, counts }: Props) {
  const { icon, label } = kinds[type]
  return (
    <div className="step">
      <Icon name={icon} />
      <div className="step-text">
        <Link to="." search={(before: object) => ({ ...before, step: id })} resetScroll={false} data-step={id}>
          {name}
        </Link>
        <span className="muted">
          <span className="sr-only">{label}: </span>
          {summary}
        </span>
        {issues.length > 0 && (
          <ul className="step-issues">
            {issues.map(({ code, message, severity }) => (
              <li key={code + message} className={severity === 'ERROR' ? 'error' : 'warning'}>
                <Icon name="alert" size={14} />
                <span>
                  <span className="sr-only">{severity === 'ERROR' ? 'Error: ' : 'Warning: '}</span>
                  {message}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {counts && <Counts counts={counts} />}
    </div>
  )
}

function Counts({ counts: { active, entered, failed } }: { counts: NonNullable<Props['counts']> }) {
  return (
    <span className="badges">
      {active !== null && active > 0 && <Badge tone="info">{number(active)} here now</Badge>}
      {failed > 0 && <Badge tone="bad">{number(failed)} failed</Badge>}
      <span className="muted">{number(entered)} came</span>
    </span>
  )
}
