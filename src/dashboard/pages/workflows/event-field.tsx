import { type ReactNode, useId } from 'react'
import { useEventNames } from '../../data/event-names.ts'
import { TextField } from '../../parts/field.tsx'

interface Props {
  label: string
  value: string
  onChange(value: string): void
  hint?: ReactNode
  problem?: string | undefined
}

const max = 500

/** The name of an event: one that has happened, or any other. */
export function EventField({ label, value, onChange, hint, problem }: Props) {
  const id = useId()
  const names = useEventNames()
  return (
    <>
      <TextField
        label={label}
        list={id}
        value={value}
        autoComplete="off"
        maxLength={255}
        onChange={(event) => onChange(event.target.value)}
        hint={hint}
        problem={problem}
      />
      <datalist id={id}>
        {names.slice(0, max).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
