import { Link } from '@tanstack/react-router'
import { useProject } from '../../../data/project.tsx'
import { titleOf } from '../../../parts/email-subject.ts'
import { Time } from '../../../parts/facts.tsx'
import { Section } from '../../../parts/page.tsx'
import { Empty, Note } from '../../../parts/state.tsx'
import { exitLabel } from '../kinds.ts'
import type { FoundExecution } from './found.ts'
import { StatusBadge } from './status.tsx'

type Run = FoundExecution['stepExecutions'][number]

/** What the steps of an execution did, in order: what each was asked, what it did, and why it failed. */
export function StepRuns({ execution: { graph, stepExecutions } }: { execution: FoundExecution }) {
  const nameOf = ({ step, branch }: Run) =>
    graph?.transitions?.find((one) => one.fromStepId === step?.id && one.branch === branch)?.name ?? exitLabel(branch)
  return (
    <Section title="What happened">
      {stepExecutions.length === 0 && <Empty icon="clock" title="No step has begun yet" />}
      <ol className="timeline" aria-label="Steps, in order">
        {stepExecutions.map((run) => (
          <li key={run.id} id={run.id}>
            <StepRun run={run} exit={nameOf(run)} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function StepRun({ run, exit }: { run: Run; exit: string }) {
  const { id: project } = useProject()
  const { step, status, branch, attempts, error, email, scheduledFor, completedAt } = run
  return (
    <div className="run">
      <h3>
        {step?.name ?? 'A step of a deleted workflow'} <StatusBadge status={status} />
      </h3>
      <p className="muted">
        <Time at={run.startedAt} />
        {completedAt && (
          <>
            {' to '}
            <Time at={completedAt} />
          </>
        )}
        {attempts > 1 && `, tried ${attempts} times`}
      </p>
      {branch !== null && <p>Took the exit “{exit}”.</p>}
      {scheduledFor && !completedAt && (
        <p>
          Until <Time at={scheduledFor} /> (<Time at={scheduledFor} relative />)
        </p>
      )}
      {!completedAt && <WaitsFor output={run.output} />}
      {error && <Note kind="warn">{error}</Note>}
      {email && (
        <p>
          <Link to="/$project/emails/$email" params={{ project, email: email.id }}>
            {titleOf(email)}
          </Link>
        </p>
      )}
      <Json title="Input" value={run.input} />
      <Json title="Output" value={run.output} />
    </div>
  )
}

// Of a step that waits for something that is not in its workflow, such as its sender domain.
function WaitsFor({ output }: { output: unknown }) {
  if (typeof output !== 'object' || output === null || !('waiting' in output)) return null
  return <Note kind="warn">{String(output.waiting)}</Note>
}

function Json({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null
  return (
    <details>
      <summary>{title}</summary>
      <pre className="code">{JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}
