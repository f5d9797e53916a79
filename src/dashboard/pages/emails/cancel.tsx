import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { CancelEmailDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { toast } from '../../parts/toast.tsx'

/** Cancels an email that waits to be sent, after asking. */
export function Cancel({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const { run, problem, reset } = useAction(CancelEmailDocument)
  const close = () => {
    setOpen(false)
    reset()
  }
  const cancel = async () => {
    if (!(await run({ input: { id } }))) return
    close()
    toast('Email cancelled')
  }
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Cancel this email
      </Button>
      <ConfirmDialog title="Cancel this email?" verb="Cancel it" open={open} onClose={close} problem={problem} onConfirm={cancel}>
        It does not leave any more, and cannot be sent again.
      </ConfirmDialog>
    </>
  )
}
