import { type ReactNode, useEffect, useRef } from 'react'
import { useMaybeProject } from '../data/project.tsx'

// Undefined before the first page that is opened, which leaves the focus to the browser.
let shownAt: string | undefined

// Whether a page may take the focus: that of the link which has led to it, but not what somebody has gone to since, such as the command
// palette, or anything else once what is at an address has been read.
function isFree(before: string): boolean {
  const { activeElement } = document
  if (before === location.pathname) return activeElement === null || activeElement === document.body
  return !activeElement?.closest('.popup[data-open]')
}

interface Props {
  title: string
  /** Beside the title: what the page offers. */
  actions?: ReactNode
  /** Below the title. */
  lead?: ReactNode
  /** Above the title: where the page is. */
  above?: ReactNode
  narrow?: boolean
  children: ReactNode
}

/** A page: its only h1, the title of the tab, and after a change of page the focus, so that screen readers say where one is. */
export function Page({ title, actions, lead, above, narrow, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const project = useMaybeProject()
  useEffect(() => {
    document.title = [title, project?.name, 'Postwire'].filter(Boolean).join(' · ')
  }, [title, project?.name])
  useEffect(() => {
    if (shownAt !== undefined && isFree(shownAt)) heading.current?.focus({ preventScroll: true })
    shownAt = location.pathname
  }, [])
  return (
    <div className={narrow ? 'page narrow' : 'page'}>
      {above}
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {lead && <div className="lead">{lead}</div>}
      {children}
    </div>
  )
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
