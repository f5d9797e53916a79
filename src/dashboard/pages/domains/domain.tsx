import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAction } from '../../data/action.ts'
import { problemOf } from '../../data/failures.ts'
import { ago } from '../../data/format.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { DomainDocument, type DomainStateFragment, VerifyDomainDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { DomainBadge, foundOf, isMoving, needsNoDns, useDomainRefresh } from './data.tsx'
import { Deletion } from './deletion.tsx'
import { Records } from './records.tsx'
import { WarmUp } from './warm-up.tsx'

/** A domain: the records to set and what was found of them, its warm-up, and what sends from it. It turns green by itself. */
export function Domain() {
  const { domain: id } = useParams({ from: '/signed-in/$project/domains/$domain' })
  const [{ data, error, fetching }, ask] = useRead({ query: DomainDocument, variables: { id } })
  const again = () => ask({ requestPolicy: 'network-only' })
  const domain = data?.domain?.id === id ? data.domain : undefined
  useDomainRefresh(domain !== undefined && isMoving(domain), again)
  useAnnouncement(domain)
  if (!domain)
    return (
      <Page title="Domain" above={<Back />}>
        {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
        {!error && fetching && <Loading rows={6} />}
        {!error && !fetching && <Empty icon="globe" title="This domain is not in the project, or was deleted" />}
      </Page>
    )
  return (
    <Page
      title={domain.domain}
      above={<Back />}
      actions={
        <>
          <DomainBadge domain={domain} />
          {!needsNoDns(domain) && <Check domain={domain} />}
        </>
      }
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      <HowItIs domain={domain} />
      <Records domain={domain} />
      <WarmUp domain={domain} />
      <Deletion domain={domain} />
    </Page>
  )
}

function HowItIs({ domain }: { domain: DomainStateFragment }) {
  const { status, domain: name, checkedAt } = domain
  const checked = checkedAt && !needsNoDns(domain) ? `Last checked ${ago(checkedAt)}.` : ''
  if (status === 'VERIFIED')
    return (
      <Note kind="good">
        <p>Email can be sent from every address that ends with @{name}.</p>
        {checked && <p className="muted">{checked}</p>}
      </Note>
    )
  return (
    <Note kind="warn">
      <p>
        Nothing can be sent from {name} yet. Set the required record where the DNS of the domain is managed. It is looked for every 5
        minutes, and this page turns green by itself; DNS may take some hours to show a change.
      </p>
      {checked && <p className="muted">{checked}</p>}
    </Note>
  )
}

// A change that nobody has asked for is said, as it may be out of sight.
function useAnnouncement(domain: DomainStateFragment | undefined): void {
  const before = useRef<{ id: string; status: string }>(undefined)
  useEffect(() => {
    if (!domain) return
    const { id, status, domain: name } = domain
    if (before.current?.id === id && before.current.status !== status)
      toast(status === 'VERIFIED' ? `${name} is verified` : `${name} is no longer verified`)
    before.current = { id, status }
  }, [domain])
}

function Check({ domain: { id, status } }: { domain: DomainStateFragment }) {
  const { run, busy, problem } = useAction(VerifyDomainDocument)
  const check = async () => {
    const data = await run({ input: { id } })
    if (!data) return
    const { domain } = data.verifyDomain
    // A change of the status is announced anyway.
    if (domain.status === status) toast(`${foundOf(domain)} of ${domain.records.length} records found`)
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button kind={status === 'PENDING' ? 'primary' : 'plain'} icon="refresh" busy={busy} onClick={check}>
        {busy ? 'Checking…' : 'Check now'}
      </Button>
    </>
  )
}

function Back() {
  const { id: project } = useProject()
  return (
    <Link to="/$project/domains" params={{ project }} className="back">
      <Icon name="chevron-left" />
      Domains
    </Link>
  )
}
