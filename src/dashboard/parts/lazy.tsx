import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Page } from './page.tsx'
import { Loading, Note } from './state.tsx'

/**
 * A page whose script is loaded when it is opened, or before. While the server cannot be reached, the page says so and tries again every
 * 5 seconds and as soon as the browser is online. A script that the server no longer has, as after an update, loads the site again, once.
 */
export function lazyPage<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  // Pages use the types of the routes, and these would need those of the pages to say that it is a component.
  const script = scriptOf(async () => (await load())[name] as ComponentType)
  function LazyPage() {
    const { state, again } = useScript(script)
    if (script.part) return <script.part />
    if (state === 'loading') return <Loading />
    return (
      <Page title={titles[state]}>
        <Trouble state={state} onRetry={again} />
      </Page>
    )
  }
  // The router calls it, and shows the page when it has ended. What went wrong is seen when the page is shown.
  return Object.assign(LazyPage, { preload: () => script.load().catch(() => {}) })
}

/** The same for a part of a page. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const script = scriptOf(load)
  return function LazyPart(props: Props) {
    const { state, again } = useScript(script)
    if (script.part) return <script.part {...props} />
    return state === 'loading' ? <Loading rows={8} /> : <Trouble state={state} onRetry={again} />
  }
}

type State = 'loading' | 'lost' | 'gone'

const titles = { lost: 'The connection is lost', gone: 'This page has failed' }

function Trouble({ state, onRetry }: { state: 'lost' | 'gone'; onRetry(): void }) {
  return (
    <Note kind="warn">
      {state === 'lost' ? (
        <>
          <p>The connection is lost, and this had not been loaded before. It is tried again until it works.</p>
          <Button onClick={onRetry}>Try again</Button>
        </>
      ) : (
        <>
          <p>This could not be loaded.</p>
          <Button onClick={() => location.reload()}>Reload</Button>
        </>
      )}
    </Note>
  )
}

interface Script<Props> {
  /** What it exports, once it is loaded. */
  part: ComponentType<Props> | undefined
  load(): Promise<void>
}

function scriptOf<Props>(read: () => Promise<ComponentType<Props>>): Script<Props> {
  const script: Script<Props> = {
    part: undefined,
    async load() {
      script.part ??= await read()
    },
  }
  return script
}

const againMs = 5_000

function useScript<Props>(script: Script<Props>): { state: State; again(): void } {
  const [state, setState] = useState<State>('loading')
  const [isLoaded, setIsLoaded] = useState(script.part !== undefined)
  const isShown = useRef(true)
  const attempt = async () => {
    try {
      await script.load()
      setIsLoaded(true)
    } catch {
      const isReachable = await canReach()
      if (isShown.current) setState(isReachable ? loadAgain() : 'lost')
    }
  }
  const again = useEffectEvent(() => void attempt())
  useEffect(() => {
    if (isLoaded) return
    isShown.current = true
    again()
    const timer = setInterval(() => !document.hidden && again(), againMs)
    addEventListener('online', again)
    return () => {
      isShown.current = false
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [isLoaded])
  return { state, again: () => void attempt() }
}

async function canReach(): Promise<boolean> {
  try {
    return (await fetch('/app/', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}

// The script is of an older version; or the browser has kept that it could not be loaded, as Chromium does until the site is loaded again.
function loadAgain(): State {
  if (hasReloadedLately()) return 'gone'
  location.reload()
  return 'loading'
}

const reloadedAt = 'reloaded-at'
const latelyMs = 60_000

function hasReloadedLately(): boolean {
  const isLately = Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0) < latelyMs
  if (!isLately) sessionStorage.setItem(reloadedAt, String(Date.now()))
  return isLately
}
