import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** Something that can be chosen by its name. */
export interface Found {
  id: string
  name: string
}

interface Props {
  /** What is looked for, such as Contact. */
  label: string
  /** The name of what is chosen, or undefined for nothing. */
  chosen: string | undefined
  /** What begins or contains a text. */
  find(text: string): Promise<Found[]>
  onChoose(id: string | undefined): void
}

/** A filter by one thing out of many: a field that suggests names, or the name that was chosen. */
export function Lookup({ label, chosen, find, onChoose }: Props) {
  const [found, setFound] = useState<Found[]>([])
  const [isWanted, setIsWanted] = useState(false)
  const typed = useRef('')
  // The text that was found last: what was found for another one is not what is meant.
  const [foundFor, setFoundFor] = useState('')
  const id = useId()
  const chooseFirst = useEffectEvent(() => {
    setIsWanted(false)
    if (found[0]) onChoose(found[0].id)
  })
  useEffect(() => {
    if (isWanted && typed.current === foundFor) chooseFirst()
  }, [isWanted, foundFor])
  if (chosen !== undefined)
    return (
      <Button className="chosen" onClick={() => onChoose(undefined)} aria-label={`${label}: ${chosen}. Remove this filter`}>
        <span className="muted">{label}</span> <span className="cut">{chosen}</span> <Icon name="close" />
      </Button>
    )
  const type = async (text: string) => {
    const exact = found.find(({ name }) => name === text)
    if (exact) return onChoose(exact.id)
    typed.current = text.trim()
    setIsWanted(false)
    const answer = typed.current === '' ? [] : await find(typed.current)
    // An answer that comes late is not that to what was typed since.
    if (typed.current !== text.trim()) return
    setFound(answer)
    setFoundFor(text.trim())
  }
  const choose = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // A form that it stands in is not sent by it.
    event.preventDefault()
    setIsWanted(true)
  }
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        type="text"
        className="input"
        list={id}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        onChange={(event) => void type(event.target.value)}
        onKeyDown={choose}
      />
      <datalist id={id}>
        {found.map((one) => (
          <option key={one.id} value={one.name} />
        ))}
      </datalist>
    </div>
  )
}
