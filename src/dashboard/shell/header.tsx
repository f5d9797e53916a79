import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLiveState } from '../data/project.tsx'
import type { MemberProject } from '../data/session.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { AccountMenu, ThemeMenu } from './account-menu.tsx'
import { Keys } from './keys.tsx'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette.tsx'
import { ProjectSwitch } from './project-switch.tsx'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The top of the pages of a project: which project, the command palette, whether the page is live, theme and account. */
export function Header({ project }: { project: MemberProject }) {
  const [open, setOpen] = useState<'palette' | 'nav' | 'keys' | null>(null)
  const close = () => setOpen(null)
  return (
    <header className="top">
      <IconButton icon="menu" label="Pages" className="narrow-only" onClick={() => setOpen('nav')} />
      <Link to="/" className="brand wide-only" aria-label="Postwire: your projects">
        <img src="/favicon.svg" alt="" width={20} height={20} />
      </Link>
      <ProjectSwitch project={project} />
      <span className="grow" />
      <Button
        icon="search"
        className="palette-button"
        onClick={() => setOpen('palette')}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      >
        <span className="wide-only">Search or go to…</span>
        <kbd className="wide-only">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        <span className="narrow-only sr-only">Search</span>
      </Button>
      <LiveMark />
      <ThemeMenu />
      <AccountMenu onKeys={() => setOpen('keys')} />
      <Dialog kind="nav" title={project.name} open={open === 'nav'} onClose={close}>
        <Navigation projectId={project.id} onChoose={close} />
      </Dialog>
      <Palette
        projectId={project.id}
        open={open === 'palette'}
        onOpen={() => setOpen('palette')}
        onClose={close}
        onKeys={() => setOpen('keys')}
      />
      <Keys projectId={project.id} open={open === 'keys'} onOpen={() => setOpen('keys')} onClose={close} />
    </header>
  )
}

const states = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting', closed: 'Not live' }

// Not announced: the banner is, once the connection has been lost for a while.
function LiveMark() {
  const state = useLiveState()
  return (
    <span className={`live ${state}`} title={state === 'live' ? 'What happens is shown as it happens' : undefined}>
      {states[state]}
    </span>
  )
}
