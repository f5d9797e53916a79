import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSegmentNames } from '../../../data/fields.ts'
import type { EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { Empty, Note } from '../../../parts/state.tsx'
import { outlineOf } from '../graph.ts'
import { shownExits } from '../kinds.ts'
import type { WorkflowProgress } from '../progress.ts'
import { summaryOf } from '../summary.ts'
import { AddStep } from './add-step.tsx'
import { AddLink, Outline } from './outline.tsx'
import { StepDrawer } from './step-drawer.tsx'
import { StepLine } from './step-line.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
  onChange(): void
}

/** The steps of a workflow as an outline, with what is wrong beside them and how many executions are at each, as it changes. */
export function Steps({ workflow, progress, onChange }: Props) {
  const { step: open, add, exit } = useSearch({ from: '/signed-in/$project/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$project/workflows/$workflow' })
  const segments = useSegmentNames()
  const close = () =>
    void navigate({ search: (before) => ({ ...before, step: undefined, add: undefined, exit: undefined }), resetScroll: false })
  const nameOf = (id: string) => segments?.find((one) => one.id === id)?.name
  const [first, ...loose] = outlineOf(workflow.steps, (step) => shownExits(step, workflow))
  const line = (step: EditedWorkflowFragment['steps'][number]) => (
    <StepLine
      step={step}
      summary={summaryOf(step, nameOf)}
      issues={workflow.issues.filter(({ stepId }) => stepId === step.id)}
      counts={progress?.steps.find(({ id }) => id === step.id)}
    />
  )
  return (
    <>
      <Issues workflow={workflow} />
      <section className="card outline" aria-label="Steps">
        <p className="trigger">
          <strong>Start</strong> <span className="muted">{startOf(workflow)}</span>
        </p>
        {first ? (
          <>
            {/* The oldest step that nothing leads to is the first one: with others it would not be the new one. */}
            {loose.length === 0 && <AddLink place={{ add: 'start' }} label="Add a step before the first one" />}
            <Outline sequence={first} line={line} isEdited />
          </>
        ) : (
          <NoSteps />
        )}
      </section>
      {loose.length > 0 && (
        <section className="card outline" aria-label="Steps that nothing leads to">
          <h2>Nothing leads to these</h2>
          {loose.map((sequence) => (
            <Outline key={sequence.items[0]?.step.id} sequence={sequence} line={line} isEdited />
          ))}
        </section>
      )}
      <AddStep workflow={workflow} place={add === undefined ? undefined : { add, exit }} onClose={close} />
      <StepDrawer workflow={workflow} id={open} onClose={close} onChange={onChange} />
    </>
  )
}

function startOf({ triggerType, triggerConfig, allowReentry }: EditedWorkflowFragment): string {
  const again = allowReentry ? ' Contacts may enter again once they have left.' : ' Each contact enters once.'
  if (triggerType === 'MANUAL') return `By a call or by hand.${again}`
  return triggerConfig ? `When “${triggerConfig.eventName}” happens to a contact.${again}` : 'No event yet: name it in the settings.'
}

function NoSteps() {
  return (
    <Empty icon="workflow" title="No steps yet">
      <p>Begin with what happens first, such as an email.</p>
      <div className="actions center">
        <AddLink place={{ add: 'start' }} label="Add the first step" isButton />
      </div>
    </Empty>
  )
}

function Issues({ workflow: { issues } }: Pick<Props, 'workflow'>) {
  const errors = issues.filter(({ severity }) => severity === 'ERROR')
  const own = issues.filter(({ stepId }) => stepId === null)
  if (errors.length === 0 && own.length === 0) return null
  const ofSteps = errors.length - own.filter(({ severity }) => severity === 'ERROR').length
  return (
    <Note kind="warn">
      {errors.length > 0 && <p>It cannot be enabled, and changes do not take effect, until this is mended:</p>}
      <ul>
        {own.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
        {ofSteps > 0 && (
          <li>{ofSteps === 1 ? 'One error of a step, shown beside it.' : `${ofSteps} errors of steps, shown beside them.`}</li>
        )}
      </ul>
    </Note>
  )
}
