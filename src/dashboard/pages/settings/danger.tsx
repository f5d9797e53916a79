import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { leaveTo } from '../../data/once.ts'
import { useIsAdmin, useProject } from '../../data/project.tsx'
import { DeleteProjectDocument, ResetProjectDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { forgetAll } from '../../parts/unsaved/unsaved.ts'

/** What cannot be undone: emptying the project, and deleting it. */
export function Danger() {
  const isAdmin = useIsAdmin()
  const [open, setOpen] = useState<'reset' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section title="Danger zone">
      <div className="danger-row">
        <div>
          <strong>Empty this project</strong>
          <p className="muted">
            Removes emails, events, contacts, templates, campaigns, segments and workflows. Domains, keys and members stay.
          </p>
        </div>
        <Button kind="danger" disabled={!isAdmin} onClick={() => setOpen('reset')}>
          Empty it
        </Button>
      </div>
      <div className="danger-row">
        <div>
          <strong>Delete this project</strong>
          <p className="muted">Nobody can see it any more, and its keys stop working at once.</p>
        </div>
        <Button kind="danger" disabled={!isAdmin} onClick={() => setOpen('delete')}>
          Delete it
        </Button>
      </div>
      <Reset open={open === 'reset'} onClose={close} />
      <Delete open={open === 'delete'} onClose={close} />
    </Section>
  )
}

interface Props {
  open: boolean
  onClose(): void
}

function Reset({ open, onClose }: Props) {
  const { id, name } = useProject()
  const { run, problem } = useAction(ResetProjectDocument, 'Project')
  const reset = async () => {
    const data = await run({ input: { id } })
    if (!data) return
    onClose()
    toast(data.resetProject.done ? 'The project is empty' : 'The project is being emptied', data.resetProject.message)
  }
  return (
    <ConfirmDialog title={`Empty ${name}?`} verb="Empty it" typed={name} open={open} onClose={onClose} problem={problem} onConfirm={reset}>
      All its emails, events, contacts, templates, campaigns, segments and workflows are removed. It cannot be undone.
    </ConfirmDialog>
  )
}

function Delete({ open, onClose }: Props) {
  const { id, name } = useProject()
  const { run, problem } = useAction(DeleteProjectDocument)
  const remove = async () => {
    // A new page, so that nothing of the project stays in memory.
    if (!(await run({ input: { id } }))) return
    forgetAll()
    return leaveTo('/app/')
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      verb="Delete it"
      typed={name}
      open={open}
      onClose={onClose}
      problem={problem}
      onConfirm={remove}
    >
      Everything in it is removed, for all members. It cannot be undone.
    </ConfirmDialog>
  )
}
