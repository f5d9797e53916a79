import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { percent, words } from '../../data/format.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { pageOf } from '../../data/search.ts'
import { CampaignsDocument, type CampaignsQuery } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { NameAndMode } from '../../parts/editor/name-and-mode.tsx'
import { Time } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { Progress } from './progress.tsx'
import { campaignStatuses } from './search.ts'
import { StatusBadge } from './status.tsx'

const statuses = campaignStatuses.map((value) => ({ value, label: words(value) }))

/** The campaigns of the project, with how far each is: newest first, by state and by words of their name or subject. */
export function Campaigns() {
  const { status, search, create, ...place } = useSearch({ from: '/signed-in/$project/campaigns' })
  const navigate = useNavigate({ from: '/$project/campaigns' })
  const variables = { filter: { ...(status && { statuses: status }), ...(search && { search }) }, ...pageOf(place) }
  const [{ data, error, stale }, ask] = useRead({ query: CampaignsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  const shown = new Set(data?.campaigns.nodes.map(({ id }) => id))
  useLiveRefresh(({ type, campaign }) => type.startsWith('CAMPAIGN_') || (campaign != null && shown.has(campaign.id)), again)
  const narrow = (change: { status?: typeof status; search?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, after: undefined, before: undefined }), replace: true })
  const open = (isOpen: boolean) => void navigate({ search: (before) => ({ ...before, create: isOpen || undefined }) })
  const isFiltered = status !== undefined || search !== undefined
  return (
    <Page
      title="Campaigns"
      actions={
        <Button kind="primary" icon="plus" onClick={() => open(true)}>
          New campaign
        </Button>
      }
    >
      <div className="filters">
        <SearchField label="Search campaigns" value={search} onSearch={(text) => narrow({ search: text })} />
        <Choices label="State" options={statuses} chosen={status ?? []} onChange={(chosen) => narrow({ status: chosen })} />
      </div>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!data && !error && <Loading rows={8} />}
      {data && data.campaigns.nodes.length === 0 && <Nothing isFiltered={isFiltered} onCreate={() => open(true)} />}
      {data && data.campaigns.nodes.length > 0 && (
        <div className={stale ? 'card list stale' : 'card list'}>
          <List rows={data.campaigns.nodes} />
          <Pager info={data.campaigns.pageInfo} total={data.campaigns.totalCount} />
        </div>
      )}
      <NewCampaign open={create === true} onClose={() => open(false)} />
    </Page>
  )
}

function Nothing({ isFiltered, onCreate }: { isFiltered: boolean; onCreate(): void }) {
  if (isFiltered)
    return (
      <Empty icon="send" title="No campaign matches">
        Search for other words, or for all states.
      </Empty>
    )
  return (
    <Empty icon="send" title="No campaigns yet">
      <p>An email to many contacts, sent once: now, or at a time of your choice.</p>
      <div className="actions centre">
        <Button icon="plus" onClick={onCreate}>
          Begin the first one
        </Button>
      </div>
    </Empty>
  )
}

type Row = CampaignsQuery['campaigns']['nodes'][number]

function List({ rows }: { rows: Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Campaigns"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Campaign',
          cell: ({ id, name, subject, mode }) => (
            <Link to="/$project/campaigns/$campaign" params={{ project, campaign: id }} className="cell-link">
              <NameAndMode name={name} mode={mode} />
              <span className="muted">{subject}</span>
            </Link>
          ),
        },
        { name: 'State', cell: (row) => <StatusBadge status={row.status} paused={row.paused} /> },
        { name: 'Progress', wide: true, cell: ({ name, stats }) => <Progress label={`Progress of ${name}`} stats={stats} /> },
        { name: 'Opened', wide: true, numeric: true, cell: ({ stats }) => (stats.sentCount > 0 ? percent(stats.openRate) : '–') },
        { name: 'Clicked', wide: true, numeric: true, cell: ({ stats }) => (stats.sentCount > 0 ? percent(stats.clickRate) : '–') },
        { name: 'When', wide: true, cell: (row) => <When row={row} /> },
      ]}
    />
  )
}

function When({ row: { status, scheduledAt, sentAt, updatedAt } }: { row: Row }) {
  if (status === 'SCHEDULED' && scheduledAt)
    return (
      <>
        Leaves <Time at={scheduledAt} />
      </>
    )
  return sentAt ? (
    <Time at={sentAt} />
  ) : (
    <>
      Changed <Time at={updatedAt} relative />
    </>
  )
}
