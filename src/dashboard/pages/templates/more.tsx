import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { useOnce } from '../../data/once.ts'
import { useProject } from '../../data/project.tsx'
import {
  DeleteTemplateDocument,
  DuplicateTemplateDocument,
  type EditedTemplateFragment,
  UpdateTemplateDocument,
} from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { TurnIntoHtml } from '../../parts/editor/turn-into-html.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  template: EditedTemplateFragment
  isDirty: boolean
  onVersions(): void
}

/** Shows the versions of a template, duplicates it, or deletes it after asking. */
export function More({ template, isDirty, onVersions }: Props) {
  const { id, name, mode } = template
  const { id: project } = useProject()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const copy = useAction(DuplicateTemplateDocument)
  const removal = useAction(DeleteTemplateDocument)
  const [turns, setTurns] = useState(false)
  const { run: duplicate } = useOnce(async () => {
    const data = await copy.run({ input: { id } })
    if (!data) return toast('It could not be duplicated', 'Reload the page and try again.')
    const { template: made } = data.duplicateTemplate
    toast(`${made.name} created`, isDirty ? 'It has what was saved last.' : undefined)
    await navigate({ to: '/$project/templates/$template', params: { project, template: made.id } })
  })
  const askTurn = () => (isDirty ? toast('Save your changes first', 'What is saved is what becomes HTML.') : setTurns(true))
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
        problem={removal.problem}
        onConfirm={remove}
      >
        It cannot be undone. Emails made from it stay, and campaigns keep what they have copied.
      </ConfirmDialog>
      <Turning template={template} open={turns} onClose={() => setTurns(false)} />
    </>
  )
}

interface TurnProps {
  template: EditedTemplateFragment
  open: boolean
  onClose(): void
}

/** Asks before a visual template becomes HTML. */
function Turning({ template: { id, updatedAt }, open, onClose }: TurnProps) {
  const turn = useAction(UpdateTemplateDocument)
  const close = () => {
    turn.reset()
    onClose()
  }
  const turnIntoHtml = async () => {
    if (!(await turn.run({ input: { id, mode: 'HTML', ifUpdatedAt: updatedAt } }))) return
    close()
    toast('It is written in HTML now', 'The visual version is kept among its versions.')
  }
  return (
    <TurnIntoHtml open={open} onClose={close} problem={turn.problem} onConfirm={turnIntoHtml}>
      What it says now is kept as a version, which can be restored.
    </TurnIntoHtml>
  )
}
