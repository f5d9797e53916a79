import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { addressesOf } from '../../data/addresses.ts'
import { problemWith } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { AddMembersDocument, RemoveMembersDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextAreaField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Note } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'

interface Props {
  id: string
  open: 'add' | 'remove' | undefined
  onClose(): void
  onChanged(): void
}

/** Adds contacts to a segment, or removes them, by their addresses. */
export function EditMembers({ id, open, onClose, onChanged }: Props) {
  return (
    <Dialog title={open === 'remove' ? 'Remove members' : 'Add members'} open={open !== undefined} onClose={onClose}>
      {open === 'remove' ? (
        <Remove id={id} onClose={onClose} onChanged={onChanged} />
      ) : (
        <Add id={id} onClose={onClose} onChanged={onChanged} />
      )}
    </Dialog>
  )
}

const hint = 'At most 1,000, separated by commas, spaces or new lines'

function Add({ id, onClose, onChanged }: Omit<Props, 'open'>) {
  const { run, busy, problem } = useAction(AddMembersDocument)
  const [missing, setMissing] = useState<readonly string[]>([])
  const add = async ({ emails = '', create }: Record<string, string>) => {
    const data = await run({ input: { id, emails: addressesOf(emails), createMissing: create === 'on' } })
    if (!data) return
    const { added, alreadyMembers, notFound } = data.addSegmentMembers
    toast(`${number(added)} added`, alreadyMembers > 0 ? `${number(alreadyMembers)} were members before.` : undefined)
    onChanged()
    setMissing(notFound)
    if (notFound.length === 0) onClose()
  }
  return (
    <Form onSubmit={add} problem={problem} fields={['emails']}>
      <TextAreaField label="Addresses" name="emails" rows={6} hint={hint} problem={problemWith(problem, 'emails')} />
      <CheckField label="Create contacts for addresses that have none" name="create" hint="They are subscribed to marketing email" />
      {missing.length > 0 && (
        <Note kind="warn">
          <p>These addresses have no contact, so nothing was done with them:</p>
          <p>{missing.slice(0, 50).join(', ')}</p>
          {missing.length > 50 && <p>And {number(missing.length - 50)} more.</p>}
        </Note>
      )}
      <div className="actions end">
        <CloseButton>{missing.length > 0 ? 'Close' : 'Cancel'}</CloseButton>
        <Button kind="primary" type="submit" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  )
}

function Remove({ id, onClose, onChanged }: Omit<Props, 'open'>) {
  const { run, busy, problem } = useAction(RemoveMembersDocument)
  const remove = async ({ emails = '' }: Record<string, string>) => {
    const data = await run({ input: { id, emails: addressesOf(emails) } })
    if (!data) return
    toast(`${number(data.removeSegmentMembers.removed)} removed`)
    onChanged()
    onClose()
  }
  return (
    <Form onSubmit={remove} problem={problem} fields={['emails']}>
      <TextAreaField label="Addresses" name="emails" rows={6} hint={hint} problem={problemWith(problem, 'emails')} />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Remove
        </Button>
      </div>
    </Form>
  )
}
