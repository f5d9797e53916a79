import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

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
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ name, label: text, count }) => (
        <Link
          key={name}
          to="."
          // Each page has tabs of its own; its route checks their names.
          search={(before: object) => ({ ...before, tab: (name === first ? undefined : name) as never })}
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

/** The contents of the tab that is shown. */
export function TabBody({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={label}>
      {children}
    </section>
  )
}
