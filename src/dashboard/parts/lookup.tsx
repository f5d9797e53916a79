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
  // Whoever chooses or removes something stays here with the keyboard: what has the focus is replaced.
  const [isUsed, setIsUsed] = useState(false)
  const choose = (chosen: string | undefined) => {
    setIsUsed(true)
    onChoose(chosen)
  }
  const chooseFirst = useEffectEvent(() => {
    setIsWanted(false)
    if (found[0]) choose(found[0].id)
  })
  useEffect(() => {
    if (isWanted && typed.current === foundFor) chooseFirst()
  }, [isWanted, foundFor])
  if (chosen !== undefined)
    return (
      <Button
        className="chosen"
        autoFocus={isUsed}
        onClick={() => choose(undefined)}
        aria-label={`${label}: ${chosen}. Remove this filter`}
      >
        <span className="muted">{label}</span> <span className="cut">{chosen}</span> <Icon name="close" />
      </Button>
    )
  const type = async (text: string) => {
    const exact = found.find(({ name }) => name === text)
    if (exact) return choose(exact.id)
    typed.current = text.trim()
    setIsWanted(false)
    const answer = typed.current === '' ? [] : await find(typed.current)
    // An answer that comes late is not that to what was typed since.
    if (typed.current !== text.trim()) return
    setFound(answer)
    setFoundFor(text.trim())
  }
  const chooseByEnter = (event: KeyboardEvent) => {
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
        // biome-ignore lint/a11y/noAutofocus: it has the focus of the name whose place it takes
        autoFocus={isUsed}
        onChange={(event) => void type(event.target.value)}
        onKeyDown={chooseByEnter}
      />
      <datalist id={id}>
        {found.map((one) => (
          <option key={one.id} value={one.name} />
        ))}
      </datalist>
    </div>
  )
}
