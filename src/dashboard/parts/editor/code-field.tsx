import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Menu, MenuItem, MenuText } from '../menu.tsx'
import { type Code, openCode } from './code.ts'
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
  const code = useRef<Code>(null)
  const variables = useVariables()
  const change = useEffectEvent(onChange)
  const start = useEffectEvent((parent: HTMLElement) => openCode(parent, { label, text: value, onChange: change }))
  useEffect(() => {
    if (!place.current) return
    const opened = start(place.current)
    code.current = opened
    return () => opened.close()
  }, [])
  useEffect(() => code.current?.write(value), [value])
  useEffect(() => code.current?.complete(variables), [variables])
  const at = problem === undefined ? undefined : positionOf(problem)
  const mark = useEffectEvent(() => code.current?.mark(problem !== undefined && at ? { message: problem, at } : undefined))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is marked again when the problem is another
  useEffect(() => mark(), [problem])
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
            <MenuItem key={path} onSelect={() => code.current?.insert(`{{ ${path} }}`)}>
              <code>{path}</code> <span className="muted">{detail}</span>
            </MenuItem>
          ))}
        </Menu>
      </div>
      <div ref={place} className="code-place" />
      {problem && (
        <div className="code-problem" role="alert">
          <p className="field-problem">The HTML {problem}</p>
          {at && (
            <Button onClick={() => code.current?.goTo(at)}>
              Go to line {at.line}, column {at.column}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
