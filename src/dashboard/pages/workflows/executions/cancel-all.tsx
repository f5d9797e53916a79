import { useAction } from '../../../data/action.ts'
import { number } from '../../../data/format.ts'
import { CancelExecutionsDocument, type EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { toast } from '../../../parts/toast.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  /** How many are under way; undefined until that is known. */
  active: number | undefined
  open: boolean
  onClose(): void
  onDone(): void
}

/** Cancels every execution that is under way, once the name of the workflow was typed. */
export function CancelAll({ workflow: { id, name, enabled }, active, open, onClose, onDone }: Props) {
  const { run, problem, reset } = useAction(CancelExecutionsDocument)
  const close = () => {
    reset()
    onClose()
  }
  const cancel = async () => {
    const data = await run({ input: { workflowId: id } })
    if (!data) return
    const { cancelled } = data.cancelWorkflowExecutions
    toast(cancelled === 1 ? '1 execution cancelled' : `${number(cancelled)} executions cancelled`)
    close()
    onDone()
  }
  return (
    <ConfirmDialog
      title={active === undefined ? 'Cancel all executions?' : `Cancel ${number(active)} ${active === 1 ? 'execution' : 'executions'}?`}
      verb="Cancel all"
      refusal="Do not cancel"
      typed={name}
      open={open}
      onClose={close}
      problem={problem}
      onConfirm={cancel}
    >
      <p>Nothing more of the workflow happens to these contacts, and it cannot be undone.</p>
      {enabled && <p>The workflow stays enabled: others may enter meanwhile. Disable it first if they must not.</p>}
    </ConfirmDialog>
  )
}
