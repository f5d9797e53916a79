import { Link } from '@tanstack/react-router'
import type { CsvColumn } from '../../data/csv.ts'
import { problemOf } from '../../data/failures.ts'
import { day, number, percent } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { type CampaignMetric, TopCampaignsDocument, type TopCampaignsQuery } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { SaveCsv } from '../../parts/save-csv.tsx'
import { Select } from '../../parts/select.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import type { Range } from './range.ts'
import { metrics } from './search.ts'

type Row = TopCampaignsQuery['topCampaigns'][number]

const names: Record<CampaignMetric, string> = {
  OPENS: 'By opens',
  CLICKS: 'By clicks',
  OPEN_RATE: 'By open rate',
  CLICK_RATE: 'By click rate',
  SENT: 'By size',
}
const options = metrics.map((value) => ({ value, label: names[value] }))

const columns: CsvColumn<Row>[] = [
  { name: 'Campaign', value: ({ name }) => name },
  { name: 'Sent', value: ({ stats }) => stats.sentCount },
  { name: 'Opened', value: ({ stats }) => stats.openedCount },
  { name: 'Open rate', value: ({ stats }) => stats.openRate },
  { name: 'Clicked', value: ({ stats }) => stats.clickedCount },
  { name: 'Click rate', value: ({ stats }) => stats.clickRate },
  { name: 'Bounce rate', value: ({ stats }) => stats.bounceRate },
  { name: 'Unsubscribed', value: ({ stats }) => stats.unsubscribedCount },
  { name: 'Sent at', value: ({ sentAt }) => sentAt ?? null },
]

// A large campaign changes the figures thousands of times per minute.
const refreshMs = 10_000
const concerns = ({ campaign }: LiveItem) => campaign != null

interface Props {
  range: Range
  metric: CampaignMetric | undefined
  onMetric(metric: CampaignMetric): void
}

/** The campaigns sent in some days that did best. */
export function TopCampaigns({ range: { startDate, endDate, timezone }, metric = 'OPENS', onMetric }: Props) {
  const variables = { metric, startDate, endDate, timezone }
  const [{ data, error }, ask] = useRead({ query: TopCampaignsDocument, variables })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again, refreshMs)
  const rows = data?.topCampaigns
  return (
    <Section
      title="Top campaigns"
      actions={
        <>
          <Select label="Compared by" value={metric} options={options} onChange={onMetric} />
          {rows && rows.length > 0 && (
            <SaveCsv
              label="Top campaigns"
              file={`top-campaigns-${metric.toLowerCase()}-${startDate}-${endDate}`}
              columns={columns}
              rows={rows}
            />
          )}
        </>
      }
    >
      <p className="muted">
        Of the campaigns that were sent in these days, with what came of them until now. Opens and clicks of machines do not count.
      </p>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!rows && !error && <Loading rows={4} />}
      {rows?.length === 0 && <NoCampaigns />}
      {rows && rows.length > 0 && <List rows={rows} />}
    </Section>
  )
}

function NoCampaigns() {
  const { id: project } = useProject()
  return (
    <Empty icon="send" title="No campaign was sent in these days">
      <p>Choose other days, or send one.</p>
      <Link to="/$project/campaigns" params={{ project }} className="button">
        To the campaigns
      </Link>
    </Empty>
  )
}

function List({ rows }: { rows: readonly Row[] }) {
  const { id: project } = useProject()
  return (
    <Table
      label="Top campaigns"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Campaign',
          cell: ({ id, name, sentAt }) => (
            <Link to="/$project/campaigns/$campaign" params={{ project, campaign: id }} className="cell-link">
              <strong>{name}</strong>
              {sentAt && <span className="muted">{day(sentAt)}</span>}
            </Link>
          ),
        },
        { name: 'Sent', numeric: true, cell: ({ stats }) => number(stats.sentCount) },
        { name: 'Opened', numeric: true, cell: ({ stats }) => <Share count={stats.openedCount} rate={stats.openRate} /> },
        { name: 'Clicked', numeric: true, cell: ({ stats }) => <Share count={stats.clickedCount} rate={stats.clickRate} /> },
        { name: 'Bounced', numeric: true, wide: true, cell: ({ stats }) => percent(stats.bounceRate) },
        { name: 'Unsubscribed', numeric: true, wide: true, cell: ({ stats }) => number(stats.unsubscribedCount) },
      ]}
    />
  )
}

function Share({ count, rate }: { count: number; rate: number }) {
  return (
    <span className="share">
      <span>{number(count)}</span> <span className="muted">{percent(rate)}</span>
    </span>
  )
}
