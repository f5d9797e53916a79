import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface Props<T extends string> {
  /** What the tabs are of, for screen readers. */
  label: string
  tabs: readonly { name: T; label: string; count?: number }[]
  /** The one that is shown; the first needs no word in the address. */
  shown: T
}

/** The parts of a page of which one is shown: links, as each has an address (`?tab=`). */
export function Tabs<T extends string>({ label, tabs, shown }: Props<T>) {
  const first = tabs[0]?.name
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each tab that is chosen
  useEffect(() => bringIntoView(nav.current), [shown])
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ name, label: text, count }) => (
        <Link
          key={name}
          to="."
          // Each page has tabs of its own; its route checks their names. A place in the list of one is none in that of another.
          search={(before: object) => ({
            ...before,
            after: undefined,
            before: undefined,
            tab: (name === first ? undefined : name) as never,
          })}
          replace
          className={name === shown ? 'shown' : ''}
          aria-current={name === shown ? 'page' : undefined}
          activeOptions={{ exact: true, explicitUndefined: true }}
          resetScroll={false}
        >
          {text}
          {count !== undefined && <span className="muted"> {count}</span>}
        </Link>
      ))}
    </nav>
  )
}

// A narrow screen shows some of the tabs only, and the page must not scroll with them.
function bringIntoView(nav: HTMLElement | null): void {
  const tab = nav?.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!nav || !tab) return
  const { left, right } = nav.getBoundingClientRect()
  nav.scrollLeft += Math.max(0, tab.right - right) - Math.max(0, left - tab.left)
}

/** The contents of the tab that is shown. */
export function TabBody({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={label}>
      {children}
    </section>
  )
}
