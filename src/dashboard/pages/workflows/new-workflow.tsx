import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { CreateWorkflowDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'
import { emptyTrigger, type Trigger, TriggerFields, triggerInput } from './settings/trigger.tsx'

/** Creates a workflow without steps, and opens it. */
export function NewWorkflow({ open, onClose }: { open: boolean; onClose(): void }) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [trigger, setTrigger] = useState<Trigger>(emptyTrigger)
  const { run, busy, problem, reset } = useAction(CreateWorkflowDocument)
  const close = () => {
    reset()
    onClose()
  }
  const create = async ({ name = '', description = '' }: Record<string, string>) => {
    const data = await run({ input: { name, ...(description.trim() !== '' && { description }), ...triggerInput(trigger) } })
    if (!data) return
    toast('Workflow created', 'Add its steps, then enable it.')
    await navigate({ to: '/$project/workflows/$workflow', params: { project, workflow: data.createWorkflow.workflow.id } })
  }
  return (
    <Dialog title="New workflow" open={open} onClose={close}>
      <Form onSubmit={create} problem={problem} fields={['name', 'description', 'triggerConfig.eventName']} label="New workflow">
        <TextField label="Name" name="name" autoComplete="off" maxLength={100} problem={problemWith(problem, 'name')} />
        <TextField
          label="Description"
          name="description"
          autoComplete="off"
          hint="Optional: what it is for"
          problem={problemWith(problem, 'description')}
        />
        <TriggerFields trigger={trigger} onChange={setTrigger} problem={problem} />
        <div className="actions end">
          <CloseButton />
          <Button kind="primary" type="submit" busy={busy}>
            Create the workflow
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
