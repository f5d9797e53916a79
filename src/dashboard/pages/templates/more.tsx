import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { useProject } from '../../data/project.tsx'
import {
  DeleteTemplateDocument,
  DuplicateTemplateDocument,
  type EditedTemplateFragment,
  UpdateTemplateDocument,
} from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  template: EditedTemplateFragment
  isDirty: boolean
  onVersions(): void
}

/** Shows the versions of a template, duplicates it, or deletes it after asking. */
export function More({ template: { id, name, mode, updatedAt }, isDirty, onVersions }: Props) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const copy = useAction(DuplicateTemplateDocument)
  const removal = useAction(DeleteTemplateDocument)
  const turn = useAction(UpdateTemplateDocument)
  const [turns, setTurns] = useState(false)
  const duplicate = async () => {
    const data = await copy.run({ input: { id } })
    if (!data) return toast('It could not be duplicated', 'Reload the page and try again.')
    const { template } = data.duplicateTemplate
    toast(`${template.name} created`, isDirty ? 'It has what was saved last.' : undefined)
    await navigate({ to: '/$project/templates/$template', params: { project, template: template.id } })
  }
  const askTurn = () => (isDirty ? toast('Save your changes first', 'What is saved is what becomes HTML.') : setTurns(true))
  const closeTurn = () => {
    setTurns(false)
    turn.reset()
  }
  const turnIntoHtml = async () => {
    if (!(await turn.run({ input: { id, mode: 'HTML', ifUpdatedAt: updatedAt } }))) return
    closeTurn()
    toast('It is written in HTML now', 'The visual version is kept among its versions.')
  }
  const close = () => {
    setAsks(false)
    removal.reset()
  }
  const remove = async () => {
    if (!(await removal.run({ input: { id } }))) return
    toast('Template deleted')
    await navigate({ to: '/$project/templates', params: { project }, ignoreBlocker: true })
  }
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            More <Icon name="chevron-down" />
          </Button>
        }
      >
        <MenuItem icon="refresh" onSelect={onVersions}>
          Versions
        </MenuItem>
        <MenuItem icon="copy" onSelect={() => void duplicate()}>
          Duplicate
        </MenuItem>
        {mode === 'VISUAL' && (
          <MenuItem icon="code" onSelect={askTurn}>
            Turn into HTML…
          </MenuItem>
        )}
        <MenuItem icon="trash" onSelect={() => setAsks(true)}>
          Delete…
        </MenuItem>
      </Menu>
      <ConfirmDialog
        title={`Delete “${name}”?`}
        verb="Delete"
        typed={name}
        open={asks}
        onClose={close}
        busy={removal.busy}
        problem={removal.problem}
        onConfirm={() => void remove()}
      >
        It cannot be undone. Emails made from it stay, and campaigns keep what they have copied.
      </ConfirmDialog>
      <ConfirmDialog
        title="Turn it into HTML?"
        verb="Turn into HTML"
        open={turns}
        onClose={closeTurn}
        busy={turn.busy}
        problem={turn.problem}
        onConfirm={() => void turnIntoHtml()}
      >
        You write its HTML yourself from then on: it cannot be turned back. What it says now is kept as a version, which can be restored.
      </ConfirmDialog>
    </>
  )
}
