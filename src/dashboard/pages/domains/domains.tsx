import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { useIsAdmin, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { type DomainStateFragment, DomainsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AddDomain } from './add.tsx'
import { DomainBadge, foundOf, isMoving, needsNoDns, useDomainRefresh } from './data.tsx'

/** The domains that the project sends from, and how far each is. */
export function Domains() {
  const { open } = useSearch({ from: '/signed-in/$project/domains' })
  const navigate = useNavigate({ from: '/$project/domains' })
  const isAdmin = useIsAdmin()
  const [{ data, error }, ask] = useRead({ query: DomainsDocument })
  const again = () => ask({ requestPolicy: 'network-only' })
  const domains = data?.domains.nodes
  useDomainRefresh(domains?.some(isMoving) ?? false, again)
  const show = (next: 'add' | undefined) => void navigate({ search: { open: next }, resetScroll: false })
  const add = (kind: 'primary' | 'plain') => (
    <Button kind={kind} icon="plus" onClick={() => show('add')}>
      Add a domain
    </Button>
  )
  const hasSome = domains !== undefined && domains.length > 0
  return (
    <Page
      title="Domains"
      lead="Email is sent from addresses of these domains, once their DNS proves that they are yours."
      actions={hasSome && isAdmin && add('primary')}
    >
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!domains && !error && <Loading rows={4} />}
      {!isAdmin && domains && <Note>You are a member of this project: only admins and owners can add and delete domains.</Note>}
      {domains?.length === 0 && (
        <Empty icon="globe" title="No domains yet">
          <p>Add the domain of your sender address. You get the DNS records that prove that it is yours; nothing can be sent before.</p>
          {isAdmin && add('primary')}
        </Empty>
      )}
      {hasSome && <List domains={domains} />}
      {isAdmin && <AddDomain open={open === 'add'} onClose={() => show(undefined)} />}
    </Page>
  )
}

function List({ domains }: { domains: readonly DomainStateFragment[] }) {
  const { id: project } = useProject()
  return (
    <div className="card list">
      <Table
        label="Domains"
        rows={domains}
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Domain',
            cell: ({ id, domain }) => (
              <Link to="/$project/domains/$domain" params={{ project, domain: id }} className="cell-link">
                <strong>{domain}</strong>
              </Link>
            ),
          },
          { name: 'Status', cell: (domain) => <DomainBadge domain={domain} /> },
          { name: 'Records found', wide: true, cell: recordsOf },
          { name: 'Warm-up', wide: true, cell: warmUpOf },
          { name: 'Last check', wide: true, cell: ({ checkedAt }) => (checkedAt ? <Time at={checkedAt} relative /> : '') },
        ]}
      />
    </div>
  )
}

function recordsOf(domain: DomainStateFragment): string {
  if (needsNoDns(domain)) return 'None needed'
  return `${foundOf(domain)} of ${domain.records.length}`
}

function warmUpOf({ warmUp }: DomainStateFragment): string {
  if (!warmUp) return ''
  if (warmUp.limitToday === null) return 'Over'
  return `Day ${number(warmUp.day)}: ${number(warmUp.sentToday)} of ${number(warmUp.limitToday)}`
}
