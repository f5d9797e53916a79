import { useId } from 'react'

interface Props<T extends string> {
  /** What is chosen, such as Width. */
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange(value: T): void
}

/** One of two or three values, all of them shown: radio buttons, moved between by the arrow keys. */
export function Segmented<T extends string>({ label, options, value, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" className="sr-only" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
