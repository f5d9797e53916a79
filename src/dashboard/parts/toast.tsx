import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'

interface Shown {
  id: number
  title: string
  description?: string | undefined
}

let shown: Shown[] = []
let last = 0
const listeners = new Set<() => void>()
const lifeMs = 7_000
const maxShown = 3

/** Says for some seconds what has been done; screen readers announce it. */
export function toast(title: string, description?: string): void {
  last += 1
  change([...shown, { id: last, title, description }].slice(-maxShown))
}

function change(next: Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts appear; once, in the frame of all pages. The region is there before them, so that they are announced. */
export function Toasts() {
  const all = useSyncExternalStore(listen, () => shown)
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite">
      {all.map((one) => (
        <Toast key={one.id} toast={one} />
      ))}
    </section>
  )
}

// It stays while somebody reads it with the pointer or the focus on it.
function Toast({ toast: { id, title, description } }: { toast: Shown }) {
  const [isRead, setIsRead] = useState(false)
  const close = () => change(shown.filter((one) => one.id !== id))
  useEffect(() => {
    if (isRead) return
    const timer = setTimeout(() => change(shown.filter((one) => one.id !== id)), lifeMs)
    return () => clearTimeout(timer)
  }, [id, isRead])
  const reading = { onMouseEnter: () => setIsRead(true), onMouseLeave: () => setIsRead(false) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only keeps it from going
    <div className="toast" {...reading} onFocus={() => setIsRead(true)} onBlur={() => setIsRead(false)}>
      <div>
        <p className="toast-title">{title}</p>
        {description && <p className="muted">{description}</p>}
      </div>
      <IconButton icon="close" label="Close" onClick={close} />
    </div>
  )
}
