import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { projectPages } from '../pages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField } from '../parts/field.tsx'

interface Props {
  projectId: string
  open: boolean
  onOpen(): void
  onClose(): void
}

const setting = 'postwire.keys'

/** The keys of the dashboard, and the dialog that lists them. Those of a single letter can be turned off (WCAG 2.2, 2.1.4). */
export function Keys({ projectId, open, onOpen, onClose }: Props) {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(setting) !== 'off')
  useSingleKeys(isOn, projectId, onOpen)
  const turn = (on: boolean) => {
    if (on) localStorage.removeItem(setting)
    else localStorage.setItem(setting, 'off')
    setIsOn(on)
  }
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose}>
      <dl className="keys">
        <Key keys={['Ctrl', 'K']} does="Search, or go to a page (⌘ K on a Mac)" />
        <Key keys={['?']} does="Show these keys" />
        <Key keys={['Esc']} does="Close what is open" />
        {projectPages.map(({ path, title, key }) => key && <Key key={path} keys={['g', key]} does={`Go to ${title}`} />)}
      </dl>
      <CheckField label="Use the keys that are single letters" checked={isOn} onChange={(event) => turn(event.target.checked)} />
    </Dialog>
  )
}

function Key({ keys, does }: { keys: string[]; does: string }) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  )
}

const patienceMs = 1_500

function useSingleKeys(isOn: boolean, projectId: string, showKeys: () => void): void {
  const navigate = useNavigate()
  const goingSince = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    if (event.key === '?') return showKeys()
    const isGoing = event.timeStamp - goingSince.current < patienceMs
    goingSince.current = event.key === 'g' ? event.timeStamp : 0
    const page = isGoing && projectPages.find(({ key }) => key === event.key)
    if (page) void navigate({ to: page.path, params: { project: projectId } })
  })
  useEffect(() => {
    if (!isOn) return
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOn])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null)
  )
}
