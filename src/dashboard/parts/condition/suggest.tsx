import { useId } from 'react'

interface Props {
  label: string
  value: string
  suggestions: readonly string[]
  onChange(value: string): void
}

const max = 500

/** A text with suggestions, of which any other may be typed as well. */
export function SuggestField({ label, value, suggestions, onChange }: Props) {
  const id = useId()
  return (
    <>
      <input
        type="text"
        className="input"
        aria-label={label}
        placeholder={label}
        list={id}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {suggestions.slice(0, max).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}
