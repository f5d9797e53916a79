import { useLocation } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Provider } from 'urql'
import { createClient } from './client.ts'
import { changedFields, type Live, type LiveItem, type LiveState, openLive } from './live.ts'
import { paced, settledMs } from './pace.ts'
import { type MemberProject, useSession, whenSignedIn } from './session.tsx'

interface Current {
  project: MemberProject
  live: Live
}

const ProjectContext = createContext<Current | null>(null)

/** The project of the address: its client (for urql's hooks) and its live connection. With another project everything is new. */
export function ProjectProvider({ project, children }: { project: MemberProject; children: ReactNode }) {
  return (
    <Opened key={project.id} project={project}>
      {children}
    </Opened>
  )
}

function Opened({ project, children }: { project: MemberProject; children: ReactNode }) {
  const [opened, setOpened] = useState<{ client: ReturnType<typeof createClient>; live: Live } | null>(null)
  const refresh = useEffectEvent(useSession().refresh)
  useEffect(() => {
    const client = createClient(() => void whenSignedIn(), project.id)
    const live = openLive(client, project.id, whenSignedIn)
    live.onItems((arrived) => arrived.some(isOfSession) && refresh())
    setOpened({ client, live })
    return () => live.close()
  }, [project.id])
  if (!opened) return null
  return (
    <Provider value={opened.client}>
      <ProjectContext value={{ project, live: opened.live }}>{children}</ProjectContext>
    </Provider>
  )
}

// What the session says of its projects: their names, whether they are suspended, and the role in each.
const inSession = ['name', 'disabled', 'members', 'members.role']

const isOfSession = (item: LiveItem): boolean => changedFields(item).some((field) => inSession.includes(field))

/** The project of the page, or null on pages of none. */
export function useMaybeProject(): MemberProject | null {
  return use(ProjectContext)?.project ?? null
}

function useCurrent(): Current {
  const current = use(ProjectContext)
  if (!current) throw new Error('This is used outside of a project')
  return current
}

/** The project of the page. */
export function useProject(): MemberProject {
  return useCurrent().project
}

/** Whether the person may change settings, keys, members, domains and billing. */
export function useIsAdmin(): boolean {
  const { role } = useProject()
  return role === 'ADMIN' || role === 'OWNER'
}

/** The live connection of the project. */
export function useLive(): Live {
  return useCurrent().live
}

/** How the live connection is. */
export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.onState, live.state)
}

/** Calls a function with what has arrived, once per frame at most. */
export function useArrivals(onItems: (arrived: LiveItem[]) => void): void {
  const live = useLive()
  const handle = useEffectEvent(onItems)
  useEffect(() => live.onItems(handle), [live])
}

const refreshMs = 1_000

/**
 * Calls `refresh` soon after something has arrived that concerns the page, and after the connection was lost: what arrives only says
 * what has changed, and what is shown is read again, at most once in `everyMs` while more arrives, and again when counts have followed.
 * Counts may also follow what happened before the page was opened, or before the stream began.
 */
export function useLiveRefresh(concerns: (item: LiveItem) => boolean, refresh: () => void, everyMs = refreshMs): void {
  const live = useLive()
  const address = useLocation({ select: ({ pathname }) => pathname })
  const run = useEffectEvent(refresh)
  const isAbout = useEffectEvent(concerns)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is at another address was opened just now
  useEffect(() => {
    const pace = paced(() => run(), everyMs)
    if (Date.now() - live.changedAt() < settledMs) pace.opened()
    let wasLost = false
    const ends = [
      live.onBegin(pace.opened),
      live.onItems((arrived) => {
        if (arrived.some((item) => isAbout(item))) pace.changed()
      }),
      live.onState(() => {
        if (live.state() === 'live' && wasLost) pace.changed()
        wasLost = live.state() === 'lost'
      }),
    ]
    return () => {
      for (const end of ends) end()
      pace.stop()
    }
  }, [live, everyMs, address])
}
