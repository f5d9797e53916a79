import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from 'urql'
import { useAction } from '../../../data/action.ts'
import { problemWith } from '../../../data/failures.ts'
import { findContacts, type Named } from '../../../data/find.ts'
import { useProject } from '../../../data/project.tsx'
import { type EditedWorkflowFragment, StartExecutionDocument } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { CloseButton, Dialog } from '../../../parts/dialog.tsx'
import { TextAreaField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Lookup } from '../../../parts/lookup.tsx'
import { toast } from '../../../parts/toast.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  open: boolean
  onClose(): void
}

/** Starts an execution for one contact, and opens it. */
export function StartByHand({ workflow: { id }, open, onClose }: Props) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const client = useClient()
  const [found, setFound] = useState<Named[]>([])
  const [contact, setContact] = useState<Named>()
  const [wrong, setWrong] = useState<string>()
  const { run, busy, problem, reset } = useAction(StartExecutionDocument)
  const close = () => {
    reset()
    setContact(undefined)
    setWrong(undefined)
    onClose()
  }
  const find = async (text: string) => {
    const contacts = await findContacts(client, text)
    setFound(contacts)
    return contacts
  }
  const start = async ({ context = '' }: Record<string, string>) => {
    if (!contact) return
    const read = contextOf(context)
    setWrong(read.wrong)
    if (read.wrong !== undefined) return
    const data = await run({ input: { workflowId: id, contactId: contact.id, ...(read.value !== undefined && { context: read.value }) } })
    if (!data) return
    toast('The execution has begun')
    const execution = data.startWorkflowExecution.execution.id
    await navigate({ to: '/$project/workflows/$workflow/executions/$execution', params: { project, workflow: id, execution } })
  }
  return (
    <Dialog title="Start for a contact" open={open} onClose={close}>
      <Form onSubmit={start} problem={problem} fields={['context']} label="Start for a contact">
        <div className="actions">
          <Lookup
            label="Address of a contact"
            chosen={contact?.name}
            find={find}
            onChoose={(chosen) => setContact(found.find((one) => one.id === chosen))}
          />
        </div>
        <TextAreaField
          label="Data"
          name="context"
          rows={4}
          className="mono"
          spellCheck={false}
          hint="Optional JSON, as the event that starts it would have: steps ask and print it as event.…"
          problem={wrong ?? problemWith(problem, 'context')}
        />
        <div className="actions end">
          <CloseButton />
          <Button kind="primary" type="submit" busy={busy} disabled={!contact}>
            Start
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function contextOf(text: string): { value?: unknown; wrong?: string } {
  if (text.trim() === '') return {}
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { wrong: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
