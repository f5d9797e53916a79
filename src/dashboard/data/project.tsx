import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Provider } from 'urql'
import { createClient } from './client.ts'
import { type Live, type LiveItem, type LiveState, openLive } from './live.ts'
import { paced } from './pace.ts'
import { leaveToSignIn, type MemberProject } from './session.tsx'

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
  useEffect(() => {
    const client = createClient(leaveToSignIn, project.id)
    const live = openLive(client, project.id, leaveToSignIn)
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
 * what has changed, and what is shown is read again, at most once in `everyMs`, and once more when counts have followed.
 */
export function useLiveRefresh(concerns: (item: LiveItem) => boolean, refresh: () => void, everyMs = refreshMs): void {
  const live = useLive()
  const run = useEffectEvent(refresh)
  const isAbout = useEffectEvent(concerns)
  useEffect(() => {
    const pace = paced(() => run(), everyMs)
    const end = live.onItems((arrived) => {
      if (arrived.some((item) => isAbout(item))) pace.changed()
    })
    return () => {
      end()
      pace.stop()
    }
  }, [live, everyMs])
  useEffect(() => {
    let wasLost = false
    return live.onState(() => {
      if (live.state() === 'live' && wasLost) run()
      wasLost = live.state() === 'lost'
    })
  }, [live])
}
