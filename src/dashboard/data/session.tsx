import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { Provider } from 'urql'
import { SessionDocument, type SessionQuery } from '../graphql/graphql.ts'
import { createClient } from './client.ts'
import { type Problem, problemOf } from './failures.ts'
import { useRead } from './read.ts'

/** The person who is signed in. */
export type Viewer = Required<NonNullable<SessionQuery['viewer']>>
/** A project that they are a member of. */
export type MemberProject = Viewer['projects']['nodes'][number]

/** Who is signed in, and what this installation offers. */
export interface Session {
  /** Who has opened the page, also once their session has ended; nobody before somebody has signed in. */
  viewer: Viewer | null
  /** `ended`: nobody is signed in any more, and what the page keeps is of `viewer`; `other`: another person is. */
  state: 'open' | 'ended' | 'other'
  config: SessionQuery['config']
  /** Asks again, such as after signing in or creating a project. */
  refresh(): void
}

const SessionContext = createContext<Session | null>(null)

/** The session; only below SessionProvider. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionProvider')
  return session
}

/** The person who is signed in; only on pages that require one. */
export function useViewer(): Viewer {
  const { viewer } = useSession()
  if (!viewer) throw new Error('This page requires somebody who is signed in')
  return viewer
}

/** Leaves everything in memory behind, as it may be of somebody else, and asks to sign in; then the same page is shown again. */
export function leaveToSignIn(): void {
  const here = location.pathname.replace(/^\/app/, '') + location.search
  if (/^\/sign-(in|up)/.test(here)) return
  location.assign(`/app/sign-in${here === '/' ? '' : `?next=${encodeURIComponent(here)}`}`)
}

const asking = new Set<() => void>()
let again: PromiseWithResolvers<void> | undefined

/** To be called when the API says that nobody is signed in any more; ends when it has answered to somebody again. */
export function whenSignedIn(): Promise<void> {
  if (!again) {
    again = Promise.withResolvers()
    for (const ask of asking) ask()
  }
  return again.promise
}

interface Waiting {
  loading: ReactNode
  failed(problem: Problem, retry: () => void): ReactNode
  children: ReactNode
}

/** Finds out who is signed in, and shows the pages once it is known. */
export function SessionProvider(props: Waiting) {
  const client = useMemo(() => createClient(() => void whenSignedIn()), [])
  return (
    <Provider value={client}>
      <LoadedSession {...props} />
    </Provider>
  )
}

function LoadedSession({ loading, failed, children }: Waiting) {
  // Where addresses must be confirmed, projects may not even be asked for before.
  const [isConfirmed, setIsConfirmed] = useState(true)
  const [{ data, error, fetching }, ask] = useRead({ query: SessionDocument, variables: { isConfirmed } })
  const isRefused = error !== undefined && problemOf(error).code === 'EMAIL_VERIFICATION_REQUIRED'
  if (isRefused && isConfirmed) setIsConfirmed(false)
  if (!isConfirmed && data?.viewer?.emailVerified) setIsConfirmed(true)
  const refresh = useMemo(() => () => ask({ requestPolicy: 'network-only' }), [ask])
  const [last, setLast] = useState<SessionQuery['viewer']>(null)
  if (data?.viewer && data.viewer !== last && (!last || last.id === data.viewer.id)) setLast(data.viewer)
  useChangeElsewhere(last?.id, refresh)
  useEffect(() => {
    if (!data?.viewer) return
    again?.resolve()
    again = undefined
  }, [data])
  const session = useMemo(() => data && sessionOf(data, last, refresh), [data, last, refresh])
  const isAskedAgain = isRefused || (!isConfirmed && !session?.viewer)
  if (session && !isAskedAgain) return <SessionContext value={session}>{children}</SessionContext>
  if (error && !fetching && !isAskedAgain) return failed(problemOf(error), refresh)
  return loading
}

function sessionOf({ viewer, config }: SessionQuery, last: SessionQuery['viewer'], refresh: () => void): Session {
  const state = !last || last.id === viewer?.id ? 'open' : viewer ? 'other' : 'ended'
  const known = last ?? viewer
  return { viewer: known && { projects: { nodes: [] }, invitations: [], ...known }, state, config, refresh }
}

// Somebody may have signed out, or in as another person, in another tab.
function useChangeElsewhere(id: string | undefined, refresh: () => void): void {
  useEffect(() => {
    const onVisible = () => document.visibilityState === 'visible' && id !== undefined && refresh()
    document.addEventListener('visibilitychange', onVisible)
    asking.add(refresh)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      asking.delete(refresh)
    }
  }, [id, refresh])
}
