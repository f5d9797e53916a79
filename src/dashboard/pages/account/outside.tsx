import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useSession } from '../../data/session.tsx'
import { Page } from '../../parts/page.tsx'

/** The frame of the pages for people who are not signed in. */
export function Outside({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <main id="main" className="alone">
      <img src="/favicon.svg" alt="Postwire" width={36} height={36} />
      <Page title={title} lead={lead}>
        {children}
      </Page>
    </main>
  )
}

/** Opens the page that somebody wanted before they were asked to sign in, as soon as they are. Never an address of another site. */
export function useLeaveOnceSignedIn(next = '/'): void {
  const { viewer } = useSession()
  const { history } = useRouter()
  useEffect(() => {
    const isOurs = /^\/(?![/\\])/.test(next)
    if (viewer) history.replace(`/app${isOurs ? next : '/'}`)
  }, [viewer, next, history])
}
