import { useState } from 'react'
import { type Draft, type Kind, kinds } from '../data/drafts.ts'
import { Button, IconButton } from './button.tsx'
import { SelectField, TextAreaField, TextField } from './field.tsx'
import { useUnsaved } from './unsaved/use-unsaved.ts'

interface ValueProps {
  name: string
  /** Null for a field that is to be removed. */
  value: Draft | null | undefined
  problem: string | undefined
  onChange(next: Draft | null): void
}

/** One field of custom data, as it is being edited. */
export function Value({ name, value, problem, onChange }: ValueProps) {
  if (!value)
    return (
      <div className="removed">
        <s>{name}</s> <span className="muted">is removed when you save</span>
      </div>
    )
  const { kind, text } = value
  const change = (next: string) => onChange({ kind, text: next })
  return (
    <div className="value-row">
      {kind === 'boolean' ? (
        <SelectField
          label={name}
          problem={problem}
          value={text}
          options={[
            { value: 'true', label: 'True' },
            { value: 'false', label: 'False' },
          ]}
          onChange={(event) => change(event.target.value)}
        />
      ) : kind === 'json' || text.length > 80 || text.includes('\n') ? (
        <TextAreaField
          label={name}
          problem={problem}
          value={text}
          hint={kind === 'json' ? 'JSON' : undefined}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <TextField
          label={name}
          problem={problem}
          value={text}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          autoComplete="off"
          onChange={(event) => change(event.target.value)}
        />
      )}
      <IconButton icon="trash" label={`Remove ${name}`} onClick={() => onChange(null)} />
    </div>
  )
}

/** Adds a field by its name and the type of its values. */
export function NewField({ taken, onAdd }: { taken: readonly string[]; onAdd(key: string, kind: Kind): void }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('text')
  const key = name.trim()
  useUnsaved(key !== '')
  const isTaken = taken.includes(key)
  const add = () => {
    if (key === '' || isTaken) return
    onAdd(key, kind)
    setName('')
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it looks like a row of a form, and is not one of its own, as it may stand in one
    <div role="group" className="form new-field" aria-label="Another field">
      <TextField
        label="Another field"
        value={name}
        autoComplete="off"
        problem={isTaken ? 'This field is there already.' : undefined}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <SelectField label="Type" value={kind} options={kinds} onChange={(event) => setKind(event.target.value as Kind)} />
      <Button icon="plus" onClick={add}>
        Add
      </Button>
    </div>
  )
}
