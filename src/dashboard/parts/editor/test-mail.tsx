import { useState } from 'react'
import { type Problem, problemWith } from '../../data/failures.ts'
import { useViewer } from '../../data/session.tsx'
import { Button } from '../button.tsx'
import { CloseButton, Dialog } from '../dialog.tsx'
import { TextField } from '../field.tsx'
import { Form } from '../form.tsx'
import { Note } from '../state.tsx'
import { toast } from '../toast.tsx'

interface Props {
  /** Whether what is edited differs from what is stored, which is what is sent. */
  isDirty: boolean
  busy: boolean
  problem: Problem | undefined
  reset(): void
  /** Sends it: what the API says, or undefined when it was refused. */
  send(email: string): Promise<string | undefined>
}

/** Sends what is stored to one address, marked as a test. */
export function TestMail({ isDirty, busy, problem, reset, send }: Props) {
  const [open, setOpen] = useState(false)
  const { email } = useViewer()
  const close = () => {
    setOpen(false)
    reset()
  }
  const submit = async (fields: Record<string, string>) => {
    const message = await send(fields.email ?? '')
    if (message === undefined) return
    close()
    toast('Test sent', message)
  }
  return (
    <>
      <Button icon="send" onClick={() => setOpen(true)}>
        Send a test
      </Button>
      <Dialog title="Send a test" open={open} onClose={close}>
        <Form onSubmit={submit} problem={problem} fields={['email']} label="Send a test">
          {isDirty && <Note kind="warn">You have unsaved changes: the test has what was saved last.</Note>}
          <TextField
            label="To"
            name="email"
            type="email"
            defaultValue={email}
            hint="A member of the project. [TEST] stands before the subject, and nothing is tracked or counted."
            problem={problemWith(problem, 'email')}
          />
          <div className="actions end">
            <CloseButton>Close</CloseButton>
            <Button kind="primary" type="submit" busy={busy}>
              Send the test
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  )
}
