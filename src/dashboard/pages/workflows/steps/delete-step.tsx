import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { DeleteStepDocument, type EditedWorkflowFragment, type WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { toast } from '../../../parts/toast.tsx'
import { exitsOf } from '../kinds.ts'

interface Props {
  workflow: EditedWorkflowFragment
  step: WorkflowStepItemFragment
  onDone(): void
}

/** Deletes a step after asking; what led to it may lead to what follows it. */
export function DeleteStep({ workflow, step, onDone }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  const [splice, setSplice] = useState(true)
  const { run, busy, problem, reset } = useAction(DeleteStepDocument)
  const after = exitsOf(step, workflow).filter(({ to }) => to !== null)
  // Only a step with one way through it can be taken out of the way.
  const canSplice = after.length === 1 && after[0]?.branch === null && workflow.transitions.some(({ toStepId }) => toStepId === step.id)
  const close = () => {
    reset()
    setIsAsked(false)
  }
  const remove = async () => {
    if (!(await run({ input: { id: step.id, ...(canSplice && { splice }) } }))) return
    toast(`“${step.name}” has been deleted`)
    onDone()
  }
  return (
    <div className="actions">
      <Button kind="danger" icon="trash" onClick={() => setIsAsked(true)}>
        Delete the step…
      </Button>
      <ConfirmDialog
        title={`Delete “${step.name}”?`}
        verb="Delete"
        open={isAsked}
        onClose={close}
        busy={busy}
        problem={problem}
        onConfirm={() => void remove()}
      >
        <p>
          Executions that have begun go through it all the same: they keep the version they began with. A step that is deleted cannot be
          brought back.
        </p>
        {canSplice && (
          <CheckField
            label="What led to it leads to the step after it"
            checked={splice}
            onChange={(event) => setSplice(event.target.checked)}
          />
        )}
      </ConfirmDialog>
    </div>
  )
}
