import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import '../../styles/visual.css'
import { Loading, Note } from '../state.tsx'
import { Toolbar } from './toolbar.tsx'
import type { Place, Visual } from './visual.ts'

interface Props {
  label: string
  /** The document, as textOfDocument writes it. */
  value: string
  onChange(value: string): void
  problem: string | undefined
}

/** A field for a document: what is written looks about as it arrives. */
export function VisualField({ label, value, onChange, problem }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const { visual, place, hasFailed } = useVisual(element, { label, value, onChange })
  useEffect(() => visual?.write(value), [visual, value])
  return (
    <div className="visual-field">
      <span className="label">{label}</span>
      {visual && place && <Toolbar visual={visual} place={place} />}
      {!visual && !hasFailed && <Loading label="Loading the editor" rows={8} />}
      {hasFailed && <Note kind="warn">The editor could not be loaded. Reload the page.</Note>}
      <div ref={element} className="visual-place" />
      {problem && (
        <p className="field-problem" role="alert">
          The document {problem}
        </p>
      )}
    </div>
  )
}

type Editing = Pick<Props, 'label' | 'value' | 'onChange'>

// The editor is loaded when it is shown.
function useVisual(element: RefObject<HTMLDivElement | null>, { label, value, onChange }: Editing) {
  const [state, setState] = useState<{ visual?: Visual; hasFailed?: boolean }>({})
  const [place, setPlace] = useState<Place>()
  const change = useEffectEvent(onChange)
  const textOf = useEffectEvent(() => value)
  useEffect(() => {
    let opened: Visual | undefined
    let ended = false
    const open = async (parent: HTMLElement) => {
      const { openVisual } = await import('./open.ts')
      if (ended) return
      opened = openVisual(parent, { label, text: textOf(), onChange: (text) => change(text), onPlace: setPlace })
      setState({ visual: opened })
    }
    if (element.current) open(element.current).catch(() => setState({ hasFailed: true }))
    return () => {
      ended = true
      opened?.close()
    }
  }, [element, label])
  return { ...state, place }
}
