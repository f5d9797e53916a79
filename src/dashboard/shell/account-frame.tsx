import { Link, Outlet } from '@tanstack/react-router'
import { AccountMenu, ThemeMenu } from './account-menu.tsx'

/** The frame of the pages of a person, which belong to no project. */
export function AccountFrame() {
  return (
    <div className="shell without-side">
      <header className="top">
        <Link to="/" className="brand" aria-label="Postwire: your projects">
          <img src="/favicon.svg" alt="" width={20} height={20} /> Postwire
        </Link>
        <span className="grow" />
        <ThemeMenu />
        <AccountMenu />
      </header>
      <main id="main" className="main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
