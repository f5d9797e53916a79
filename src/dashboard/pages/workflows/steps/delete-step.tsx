import { useState } from 'react'
import { useClient } from 'urql'
import { useAction } from '../../../data/action.ts'
import { DeleteStepDocument, type EditedWorkflowFragment, type WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { toast } from '../../../parts/toast.tsx'
import { exitsOf } from '../kinds.ts'
import type { Undo } from '../undo.ts'
import { canRestore, restore } from './restore.ts'

interface Props {
  workflow: EditedWorkflowFragment
  step: WorkflowStepItemFragment
  undo: Undo
  onDone(): void
}

/** Deletes a step after asking, which can be taken back; what led to it may lead to what follows it. */
export function DeleteStep({ workflow, step, undo, onDone }: Props) {
  const client = useClient()
  const [isAsked, setIsAsked] = useState(false)
  const [splice, setSplice] = useState(true)
  const { run, problem, reset } = useAction(DeleteStepDocument)
  const after = exitsOf(step, workflow).filter(({ to }) => to !== null)
  // Only a step with one way through it can be taken out of the way.
  const canSplice = after.length === 1 && after[0]?.branch === null && workflow.transitions.some(({ toStepId }) => toStepId === step.id)
  const isRestorable = canRestore(workflow, step)
  const close = () => {
    reset()
    setIsAsked(false)
  }
  const remove = async () => {
    const data = await run({ input: { id: step.id, ...(canSplice && { splice }) } })
    if (!data) return
    toast(`“${step.name}” has been deleted`, isRestorable ? 'Undo brings it back, until something else is changed.' : undefined)
    if (isRestorable) undo.offer(data.deleteWorkflowStep.workflow.updatedAt, () => restore(client, { workflow, step }))
    onDone()
  }
  return (
    <div className="actions">
      <Button kind="danger" icon="trash" onClick={() => setIsAsked(true)}>
        Delete the step…
      </Button>
      <ConfirmDialog title={`Delete “${step.name}”?`} verb="Delete" open={isAsked} onClose={close} problem={problem} onConfirm={remove}>
        <p>
          Executions that have begun go through it all the same: they keep the version they began with.{' '}
          {isRestorable
            ? 'Undo brings it back, with its connections, until something else is changed.'
            : 'It cannot be brought back: nothing leads to other steps, and executions would begin with one of those.'}
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
