import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { addressesOf } from '../../data/addresses.ts'
import { problemWith } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { SuppressAddressesDocument, type SuppressionReason } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { CloseButton, Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextAreaField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { reasonOptions, reasons } from '../../parts/suppression.ts'
import { toast } from '../../parts/toast.tsx'

interface Props {
  open: boolean
  onClose(): void
  onAdded(): void
}

/** Chooses a reason, and says what it means. */
export function ReasonField({ label, hint }: { label: string; hint?: string }) {
  const [reason, setReason] = useState<SuppressionReason>('MANUAL')
  return (
    <SelectField
      label={label}
      name="reason"
      value={reason}
      options={reasonOptions}
      hint={[reasons[reason].effect, hint].filter(Boolean).join(' ')}
      onChange={(event) => setReason(event.target.value as SuppressionReason)}
    />
  )
}

/** Puts addresses on the list by hand. */
export function AddAddresses({ open, onClose, onAdded }: Props) {
  return (
    <Dialog title="Add addresses" open={open} onClose={onClose}>
      <AddForm onClose={onClose} onAdded={onAdded} />
    </Dialog>
  )
}

function AddForm({ onClose, onAdded }: Omit<Props, 'open'>) {
  const { run, busy, problem } = useAction(SuppressAddressesDocument)
  const add = async ({ emails = '', reason }: Record<string, string>) => {
    const data = await run({ input: { emails: addressesOf(emails), reason: reason as SuppressionReason } })
    if (!data) return
    const { added, alreadyThere } = data.suppressAddresses
    toast(`${number(added)} added`, alreadyThere > 0 ? `${number(alreadyThere)} were on the list before.` : undefined)
    onAdded()
    onClose()
  }
  return (
    <Form onSubmit={add} problem={problem} fields={['emails']}>
      <TextAreaField
        label="Addresses"
        name="emails"
        rows={6}
        hint="At most 1,000, separated by commas, spaces or new lines. Emails that wait to be sent to them are withheld as well."
        problem={problemWith(problem, 'emails')}
      />
      <ReasonField label="Reason" hint="A stronger reason replaces a weaker one." />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  )
}
