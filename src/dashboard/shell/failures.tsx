import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'

/** An address that leads nowhere, or to what one may not see: which of the two is not said. */
export function NotFound() {
  return (
    <main id="main" className="alone">
      <Page
        title="Nothing is here"
        lead="The address is wrong, what it led to was deleted, or it belongs to a project that you are not a member of."
      >
        <Link to="/" className="button primary">
          To your projects
        </Link>
      </Page>
    </main>
  )
}

/** What is shown instead of a page that has failed, such as one whose script could not be loaded after an update. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <main id="main" className="alone">
      <Page title="This page has failed" lead="Reload it. If it fails again, report what it says below.">
        <pre className="code">{error instanceof Error ? error.message : String(error)}</pre>
        <Button kind="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </Page>
    </main>
  )
}
