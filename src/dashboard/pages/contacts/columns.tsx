import { useState } from 'react'
import { fieldLabel, useContactFields } from '../../data/fields.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { Loading } from '../../parts/state.tsx'

interface Props {
  open: boolean
  chosen: readonly string[]
  onClose(): void
  onChange(columns: string[] | undefined): void
}

const max = 12
const maxShown = 200

/** Which custom fields the list shows. */
export function Columns({ open, onClose, ...rest }: Props) {
  return (
    <Dialog kind="drawer" title="Columns" open={open} onClose={onClose}>
      <Fields {...rest} onClose={onClose} />
    </Dialog>
  )
}

function Fields({ chosen, onChange, onClose }: Omit<Props, 'open'>) {
  const fields = useContactFields()?.filter(({ isCustom }) => isCustom)
  const [part, setPart] = useState('')
  if (!fields) return <Loading />
  if (fields.length === 0) return <p className="muted">Contacts have no custom fields yet: an import or an event adds them.</p>
  const found = fields.filter(({ field }) => fieldLabel(field).toLowerCase().includes(part.trim().toLowerCase()))
  const toggle = (field: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, field] : chosen.filter((one) => one !== field)
    onChange(next.length > 0 ? next : undefined)
  }
  return (
    <>
      <p className="muted">At most {max} custom fields.</p>
      {fields.length > 12 && <TextField label="Find a field" value={part} onChange={(event) => setPart(event.target.value)} />}
      {found.slice(0, maxShown).map(({ field }) => (
        <CheckField
          key={field}
          label={fieldLabel(field)}
          checked={chosen.includes(field)}
          disabled={!chosen.includes(field) && chosen.length >= max}
          onChange={(event) => toggle(field, event.target.checked)}
        />
      ))}
      {found.length > maxShown && <p className="muted">More fields match: type more of the name.</p>}
      <div className="actions end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
