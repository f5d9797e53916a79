import { useNavigate, useSearch } from '@tanstack/react-router'
import type { NameOf } from '../../../data/clauses.ts'
import { useSegmentNames } from '../../../data/fields.ts'
import type { EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { lazyPart } from '../../../parts/lazy.tsx'
import { Empty, Note, ProblemNote } from '../../../parts/state.tsx'
import { outlineOf } from '../graph.ts'
import { shownExits } from '../kinds.ts'
import type { WorkflowProgress } from '../progress.ts'
import { summaryOf } from '../summary.ts'
import { type Undo, useUndo } from '../undo.ts'
import { AddStep } from './add-step.tsx'
import { AddLink, Outline } from './outline.tsx'
import { StepDrawer } from './step-drawer.tsx'
import { StepLine } from './step-line.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
  onChange(): void
  /** Shown as a drawing rather than as an outline. */
  isDrawn: boolean
}

// Loaded when it is asked for.
const Canvas = lazyPart(async () => (await import('../canvas/canvas.tsx')).Canvas)

/** The steps of a workflow as an outline or as a drawing, with what is wrong beside them and how many executions are at each, as it changes. */
export function Steps({ workflow, progress, onChange, isDrawn }: Props) {
  const { step: open, add, exit } = useSearch({ from: '/signed-in/$project/workflows/$workflow' })
  const navigate = useNavigate({ from: '/$project/workflows/$workflow' })
  const segments = useSegmentNames()
  const close = (ignoreBlocker = false) =>
    void navigate({
      search: (before) => ({ ...before, step: undefined, add: undefined, exit: undefined }),
      resetScroll: false,
      ignoreBlocker,
    })
  const undo = useUndo(workflow)
  const nameOf = (id: string) => segments?.find((one) => one.id === id)?.name
  return (
    <>
      <Issues workflow={workflow} />
      {isDrawn && workflow.steps.length > 0 ? (
        <Canvas workflow={workflow} progress={progress} undo={undo} summary={(one) => summaryOf(one, nameOf)} />
      ) : (
        <>
          <UndoLast undo={undo} />
          <Outlines workflow={workflow} progress={progress} nameOf={nameOf} />
        </>
      )}
      <AddStep workflow={workflow} place={add === undefined ? undefined : { add, exit }} onClose={() => close()} />
      <StepDrawer workflow={workflow} id={open} undo={undo} onClose={() => close()} onDeleted={() => close(true)} onChange={onChange} />
    </>
  )
}

// The canvas has it among its tools.
function UndoLast({ undo: { run, problem } }: { undo: Undo }) {
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {run && (
        <div className="actions end">
          <Button onClick={run}>Undo</Button>
        </div>
      )}
    </>
  )
}

function Outlines({ workflow, progress, nameOf }: Pick<Props, 'workflow' | 'progress'> & { nameOf: NameOf }) {
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
      <section className="card outline" aria-label="Steps">
        <p className="trigger">
          <strong>Start</strong> <span className="muted">{startOf(workflow)}</span>
        </p>
        {/* The oldest step that nothing leads to is the first one: with others it would not be the new one. */}
        {first && loose.length === 0 && <AddLink place={{ add: 'start' }} label="Add a step before the first one" />}
        {first ? <Outline sequence={first} line={line} isEdited /> : <NoSteps />}
      </section>
      {loose.length > 0 && (
        <section className="card outline" aria-label="Steps that nothing leads to">
          <h2>Nothing leads to these</h2>
          {loose.map((sequence) => (
            <Outline key={sequence.items[0]?.step.id} sequence={sequence} line={line} isEdited />
          ))}
        </section>
      )}
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

function Issues({ workflow: { issues, enabled } }: Pick<Props, 'workflow'>) {
  const errors = issues.filter(({ severity }) => severity === 'ERROR')
  const own = issues.filter(({ stepId }) => stepId === null)
  if (errors.length === 0 && own.length === 0) return null
  const ofSteps = errors.length - own.filter(({ severity }) => severity === 'ERROR').length
  return (
    <Note kind="warn">
      {errors.length > 0 && <p>{enabled ? 'What was changed does not take effect' : 'It cannot be enabled'} until this is mended:</p>}
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
