import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { useActions } from './actions.ts'
import { type Finding, useFindings } from './findings.ts'

interface Props {
  projectId: string
  open: boolean
  onOpen(): void
  onClose(): void
  /** Shows the keys. */
  onKeys(): void
}

/** The command palette (Ctrl-K or ⌘ K): pages, actions, and what the project has, by their names. */
export function Palette({ projectId, open, onOpen, onClose, onKeys }: Props) {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    onOpen()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  // Opened again while it closes, it begins anew, without what was typed before.
  const [opened, setOpened] = useState({ open, times: 0 })
  if (opened.open !== open) setOpened({ open, times: opened.times + (open ? 1 : 0) })
  return (
    <Dialog title="Search or go to" open={open} onClose={onClose}>
      <Search key={opened.times} projectId={projectId} onDone={onClose} onKeys={onKeys} />
    </Dialog>
  )
}

// A combobox with a list box, as the ARIA patterns describe them: the focus stays in the field.
function Search({ projectId, onDone, onKeys }: { projectId: string; onDone(): void; onKeys(): void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const navigate = useNavigate()
  const [isWanted, setIsWanted] = useState(false)
  const { findings, isLooking } = useFindings(text, useActions(projectId, onKeys))
  const chosen = Math.min(at, findings.length - 1)
  const go = (finding: Finding | undefined) => {
    if (!finding) return
    onDone()
    if (!finding.to) return finding.run?.()
    void navigate({ to: finding.to, params: { project: projectId, ...finding.params }, ...(finding.search && { search: finding.search }) })
  }
  // Enter that was pressed before anything was found leads to what is found first.
  const goFirst = useEffectEvent(() => {
    setIsWanted(false)
    go(findings[0])
  })
  useEffect(() => {
    if (isWanted && !isLooking) goFirst()
  }, [isWanted, isLooking])
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + findings.length) % Math.max(findings.length, 1))
    else if (event.key === 'Enter' && findings.length === 0) setIsWanted(isLooking)
    else if (event.key === 'Enter') go(findings[chosen])
    else return
    event.preventDefault()
  }
  return (
    <div className="palette">
      <input
        type="search"
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={findings[chosen] && `${id}-${chosen}`}
        autoComplete="off"
        placeholder="Pages, actions, contacts, campaigns, workflows"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setIsWanted(false)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Found">
        {findings.map((finding, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the field, which keeps the focus
          <div key={finding.id} role="option" id={`${id}-${index}`} aria-selected={index === chosen} onClick={() => go(finding)}>
            <Icon name={finding.icon} />
            <span className="cut">{finding.title}</span>
            <span className="muted">{finding.kind}</span>
          </div>
        ))}
      </div>
      <p className="muted" role="status">
        {findings.length === 0 && !isLooking ? `Nothing is called “${text}”.` : ''}
      </p>
    </div>
  )
}
