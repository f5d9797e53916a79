import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../../data/action.ts'
import { useProject } from '../../../data/project.tsx'
import { DeleteWorkflowDocument, DuplicateWorkflowDocument, type EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { Button } from '../../../parts/button.tsx'
import { ConfirmDialog } from '../../../parts/dialog.tsx'
import { Section } from '../../../parts/page.tsx'
import { ProblemNote } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'

interface Props {
  workflow: EditedWorkflowFragment
}

/** Copies a workflow, or deletes it after asking. */
export function Danger({ workflow }: Props) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const copy = useAction(DuplicateWorkflowDocument)
  const duplicate = async () => {
    const data = await copy.run({ input: { id: workflow.id } })
    if (!data) return
    const { id, name } = data.duplicateWorkflow.workflow
    toast(`${name} created`)
    await navigate({ to: '/$project/workflows/$workflow', params: { project, workflow: id } })
  }
  return (
    <Section title="Copy or delete">
      {copy.problem && <ProblemNote problem={copy.problem} />}
      <div className="danger-row">
        <div>
          <p>Duplicate</p>
          <p className="muted">A copy with the same steps, which is disabled at first.</p>
        </div>
        <Button icon="copy" busy={copy.busy} onClick={duplicate}>
          Duplicate
        </Button>
      </div>
      <div className="danger-row">
        <div>
          <p>Delete</p>
          <p className="muted">Only when no execution is under way. What it has sent and logged stays.</p>
        </div>
        <Deletion workflow={workflow} />
      </div>
    </Section>
  )
}

function Deletion({ workflow: { id, name } }: Props) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const { run, problem, reset } = useAction(DeleteWorkflowDocument)
  const close = () => {
    reset()
    setIsAsked(false)
  }
  const remove = async () => {
    if (!(await run({ input: { id } }))) return
    toast('Workflow deleted')
    await navigate({ to: '/$project/workflows', params: { project }, ignoreBlocker: true })
  }
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setIsAsked(true)}>
        Delete…
      </Button>
      <ConfirmDialog
        title={`Delete “${name}”?`}
        verb="Delete"
        typed={name}
        open={isAsked}
        onClose={close}
        problem={problem}
        onConfirm={remove}
      >
        It cannot be undone. What it has sent and logged stays.
      </ConfirmDialog>
    </>
  )
}
