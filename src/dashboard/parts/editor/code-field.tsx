import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { TextAreaField } from '../field.tsx'
import { Icon } from '../icon.tsx'
import { Menu, MenuItem, MenuText } from '../menu.tsx'
import { Loading } from '../state.tsx'
import type { Code } from './code.ts'
import { positionOf } from './position.ts'
import { useVariables } from './variables.ts'

interface Props {
  label: string
  value: string
  onChange(value: string): void
  /** What is wrong with it; a line and a column that it names are marked. */
  problem: string | undefined
}

/** A field for HTML with Liquid, with the variables of the project to choose from. */
export function CodeField({ label, value, onChange, problem }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const variables = useVariables()
  const { code, hasFailed } = useCode(place, { label, value, onChange })
  useEffect(() => code?.write(value), [code, value])
  useEffect(() => void code?.complete(variables), [code, variables])
  const at = problem === undefined ? undefined : positionOf(problem)
  const mark = useEffectEvent(() => code?.mark(problem !== undefined && at ? { message: problem, at } : undefined))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is marked again when the problem is another
  useEffect(() => mark(), [code, problem])
  if (hasFailed)
    return (
      <TextAreaField
        label={label}
        rows={24}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        problem={problem && `The HTML ${problem}`}
      />
    )
  return (
    <div className="code-field">
      <div className="code-field-head">
        <span className="label">{label}</span>
        <Menu
          align="end"
          trigger={
            <Button>
              Insert a variable <Icon name="chevron-down" />
            </Button>
          }
        >
          <MenuText>Also offered after {'{{'} while you type</MenuText>
          {variables.map(({ path, detail }) => (
            <MenuItem key={path} onSelect={() => code?.insert(`{{ ${path} }}`)}>
              <code>{path}</code> <span className="muted">{detail}</span>
            </MenuItem>
          ))}
        </Menu>
      </div>
      {!code && <Loading label="Loading the editor" rows={8} />}
      <div ref={place} className="code-place" />
      {problem && (
        <div className="code-problem" role="alert">
          <p className="field-problem">The HTML {problem}</p>
          {at && (
            <Button onClick={() => code?.goTo(at)}>
              Go to line {at.line}, column {at.column}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

type Editing = Pick<Props, 'label' | 'value' | 'onChange'>

// The editor is loaded when it is shown. Where that fails, as after an update, a plain field does.
function useCode(place: RefObject<HTMLDivElement | null>, { label, value, onChange }: Editing) {
  const [state, setState] = useState<{ code?: Code; hasFailed?: boolean }>({})
  const change = useEffectEvent(onChange)
  const textOf = useEffectEvent(() => value)
  useEffect(() => {
    let opened: Code | undefined
    let ended = false
    const open = async (parent: HTMLElement) => {
      const { openCode } = await import('./code.ts')
      if (ended) return
      opened = openCode(parent, { label, text: textOf(), onChange: (text) => change(text) })
      setState({ code: opened })
    }
    if (place.current) open(place.current).catch(() => setState({ hasFailed: true }))
    return () => {
      ended = true
      opened?.close()
    }
  }, [place, label])
  return state
}
