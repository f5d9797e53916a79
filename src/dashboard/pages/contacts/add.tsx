import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../../data/action.ts'
import { problemWith } from '../../data/failures.ts'
import { useProject } from '../../data/project.tsx'
import { AddContactDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  open: boolean
  onClose(): void
  onAdded(): void
}

/** Adds one contact by hand, and leads to it. */
export function AddContact({ open, onClose, onAdded }: Props) {
  return (
    <Dialog title="Add a contact" open={open} onClose={onClose}>
      <AddForm onAdded={onAdded} />
    </Dialog>
  )
}

function AddForm({ onAdded }: Pick<Props, 'onAdded'>) {
  const { id: project } = useProject()
  const navigate = useNavigate()
  const { run, busy, problem } = useAction(AddContactDocument)
  const add = async ({ email = '', name = '', subscribed }: Record<string, string>) => {
    const data = name.trim() === '' ? undefined : { name: name.trim() }
    const answer = await run({ input: { email, subscribed: subscribed === 'on', ...(data && { data }) } })
    if (!answer) return
    const { created, contact } = answer.upsertContact
    toast(created ? `${contact.email} is a contact now` : `${contact.email} was a contact already, and has been updated`)
    onAdded()
    await navigate({ to: '/$project/contacts/$contact', params: { project, contact: contact.id } })
  }
  return (
    <Form onSubmit={add} problem={problem} fields={['email']}>
      <TextField label="Email address" name="email" type="email" autoComplete="off" required problem={problemWith(problem, 'email')} />
      <TextField label="Name" name="name" autoComplete="off" hint="Optional, kept in the custom field “name”" />
      <CheckField label="Subscribed to marketing email" name="subscribed" defaultChecked hint="Only with their agreement" />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  )
}
