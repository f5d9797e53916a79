import { Icon } from '../../../parts/icon.tsx'
import { Section } from '../../../parts/page.tsx'
import { type Exit, outlineOf } from '../graph.ts'
import { exitLabel, kinds } from '../kinds.ts'
import { Outline } from '../steps/outline.tsx'
import type { FoundExecution } from './found.ts'
import { StatusBadge } from './status.tsx'

type Graph = NonNullable<FoundExecution['graph']>
type Step = Graph['steps'][number]

/** The steps of the version that an execution goes through, each with how far it is there. */
export function ExecutionGraph({ execution: { graph, stepExecutions, version } }: { execution: FoundExecution }) {
  if (!graph) return null
  const line = (step: Step) => {
    const run = stepExecutions.findLast((one) => one.step?.id === step.id)
    return (
      <div className={run ? 'step' : 'step not-yet'}>
        <Icon name={kinds[step.type].icon} />
        <div className="step-text">
          {run ? <a href={`#${run.id}`}>{step.name}</a> : <span>{step.name}</span>}
          <span className="muted">{kinds[step.type].label}</span>
        </div>
        {run && <StatusBadge status={run.status} />}
      </div>
    )
  }
  const { transitions } = graph
  return (
    <Section title={`Steps of version ${version}`}>
      {!transitions && <p className="muted">What led from one to another is not kept of old versions.</p>}
      {outlineOf(graph.steps, (step) => exitsIn(step, transitions)).map((sequence) => (
        <Outline key={sequence.items[0]?.step.id} sequence={sequence} line={line} />
      ))}
    </Section>
  )
}

function exitsIn({ id, type }: Step, transitions: Graph['transitions']): Exit[] {
  const own = (transitions ?? []).filter(({ fromStepId }) => fromStepId === id)
  const isLast = (branch: string | null) => branch === 'default' || branch === 'timeout' || branch === 'error' || branch === 'no'
  const named = own
    .map(({ branch, name, toStepId }) => ({ branch, label: name, to: toStepId, transition: null }))
    .toSorted((one, other) => Number(isLast(one.branch)) - Number(isLast(other.branch)))
  // Of two answers both are shown, also the one that leads nowhere.
  const missing = type === 'CONDITION' && named.some(({ branch }) => branch === 'yes' || branch === 'no') ? ['yes', 'no'] : []
  const ends = missing.filter((branch) => !named.some((one) => one.branch === branch))
  return [...named, ...ends.map((branch) => ({ branch, label: exitLabel(branch), to: null, transition: null }))]
}
