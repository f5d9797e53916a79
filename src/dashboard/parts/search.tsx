import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  /** What the address says. */
  value: string | undefined
  /** Called when typing has stopped for a moment, and at once with Enter. */
  onSearch(value: string | undefined): void
}

const patienceMs = 300

/** A field that filters a list. */
export function SearchField({ label, value = '', onSearch }: Props) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // The address has changed otherwise, such as by going back.
  if (shown !== value) {
    setShown(value)
    setText(value)
  }
  const search = useEffectEvent(() => text.trim() !== value && onSearch(text.trim() || undefined))
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(search, patienceMs)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && search()}
      />
    </div>
  )
}
