import { Outlet } from '@tanstack/react-router'
import { SessionProvider } from '../data/session.tsx'
import { Loading, ProblemNote } from '../parts/state.tsx'
import { Toasts } from '../parts/toast.tsx'
import { LeaveGuard } from '../parts/unsaved/leave-guard.tsx'
import { useKeptFocus } from './focus.ts'

/** The frame of all pages: the session, and where toasts appear. */
export function Frame() {
  useKeptFocus()
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <SessionProvider
        loading={<Loading label="Loading Postwire" />}
        failed={(problem, retry) => (
          <main id="main" className="alone">
            <h1>Postwire</h1>
            <ProblemNote problem={problem} onRetry={retry} />
          </main>
        )}
      >
        <Outlet />
      </SessionProvider>
      <LeaveGuard />
      <Toasts />
    </>
  )
}
