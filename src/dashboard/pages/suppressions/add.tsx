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

/** Each reason with what it means, to choose from. */
export const explained = reasonOptions.map(({ value, label }) => ({ value, label: `${label}. ${reasons[value].effect}` }))

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
      <SelectField label="Reason" name="reason" defaultValue="MANUAL" options={explained} hint="A stronger reason replaces a weaker one." />
      <div className="actions end">
        <CloseButton />
        <Button kind="primary" type="submit" busy={busy}>
          Add
        </Button>
      </div>
    </Form>
  )
}
