import type { EditedWorkflowFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Dialog } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/state.tsx'
import { kinds } from '../kinds.ts'
import type { Undo } from '../undo.ts'
import { Connections } from './connections.tsx'
import { DeleteStep } from './delete-step.tsx'
import { StepForm } from './step-form.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  id: string | undefined
  undo: Undo
  onClose(): void
  /** The step that is open has been deleted. */
  onDeleted(): void
  onChange(): void
}

/** The drawer of a step: its config, where it leads, and its deletion; its id is in the address. */
export function StepDrawer({ workflow, id, onClose, ...rest }: Props) {
  const step = workflow.steps.find((one) => one.id === id)
  return (
    <Dialog kind="drawer" title={step ? step.name : 'Step'} open={id !== undefined} onClose={onClose}>
      {step && <Contents key={step.id} workflow={workflow} step={step} {...rest} />}
      {!step && <Empty icon="workflow" title="This step does not exist, or was deleted" />}
    </Dialog>
  )
}

type ContentsProps = Omit<Props, 'id' | 'onClose'> & { step: WorkflowStepItemFragment }

function Contents({ workflow, step, undo, onDeleted, onChange }: ContentsProps) {
  const issues = workflow.issues.filter(({ stepId }) => stepId === step.id)
  const { label, what } = kinds[step.type]
  return (
    <>
      <p className="muted">
        {label}. {what}
      </p>
      {issues.length > 0 && (
        <ul className="step-issues">
          {issues.map(({ code, message, severity }) => (
            <li key={code + message} className={severity === 'ERROR' ? 'error' : 'warning'}>
              {message}
            </li>
          ))}
        </ul>
      )}
      <StepForm workflow={workflow} step={step} onRead={onChange} />
      <Connections workflow={workflow} step={step} undo={undo} />
      <DeleteStep workflow={workflow} step={step} undo={undo} onDone={onDeleted} />
    </>
  )
}
