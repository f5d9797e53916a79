import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { problemOf } from '../../data/failures.ts'
import { percent } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { AnalyticsDocument, type AnalyticsQuery } from '../../graphql/graphql.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loading, Note, ProblemNote } from '../../parts/state.tsx'
import { Tiles } from '../../parts/tiles.tsx'
import { dayOf } from './labels.ts'
import { OverTime } from './over-time.tsx'
import { Period } from './period.tsx'
import { problemOfRange, type Range, rangeOf } from './range.ts'
import { type AnalyticsSearch, periods } from './search.ts'
import type { Series } from './series.ts'
import { TopCampaigns } from './top-campaigns.tsx'
import { TopEvents } from './top-events.tsx'

/** What became of emails in a period, the campaigns that did best, and the events that happened most. */
export function Analytics() {
  const search = useSearch({ from: '/signed-in/$project/analytics' })
  const navigate = useNavigate({ from: '/$project/analytics' })
  const change = (next: AnalyticsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const range = rangeOf(search)
  const wrong = problemOfRange(range)
  return (
    <Page title="Analytics">
      <Period search={search} range={range} onChange={change} />
      {wrong === undefined ? <Figures search={search} range={range} /> : <Note kind="warn">{wrong}</Note>}
      {wrong === undefined && <TopCampaigns range={range} metric={search.metric} onMetric={(metric) => change({ metric })} />}
      {wrong === undefined && <TopEvents range={range} which={search.events} onChange={(events) => change({ events })} />}
    </Page>
  )
}

function Figures({ search, range }: { search: AnalyticsSearch; range: Range }) {
  const [{ data, error }, ask] = useRead({ query: AnalyticsDocument, variables: range })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again, refreshMs)
  if (error) return <ProblemNote problem={problemOf(error)} onRetry={again} />
  if (!data) return <Loading rows={8} />
  const { value, label, before } = periods.find((one) => one.value === search.period) ?? periods[2]
  const title = value === 'custom' ? `${dayOf(range.startDate)} to ${dayOf(range.endDate)}` : label
  return (
    <>
      <Tiles title={title} before={before} totals={data.emailTotals} />
      <Charts data={data} range={range} />
    </>
  )
}

// A large campaign changes the figures thousands of times per minute.
const refreshMs = 10_000

const concerns = ({ type }: LiveItem) => type.startsWith('EMAIL_') || type === 'CONTACT_UNSUBSCRIBED'

const emails: Series[] = [
  { name: 'Sent', count: 'sent' },
  { name: 'Delivered', count: 'delivered' },
  { name: 'Opened', count: 'opened' },
  { name: 'Clicked', count: 'clicked' },
]
const troubles: Series[] = [
  { name: 'Bounced', count: 'bounced' },
  { name: 'Failed', count: 'failed' },
  { name: 'Complaints', count: 'complained' },
  { name: 'Unsubscribed', count: 'unsubscribed' },
]
const machines: Series[] = [
  { name: 'Opened', count: 'machineOpened' },
  { name: 'Clicked', count: 'machineClicked' },
]

function Charts({ data: { timeseries, emailTotals }, range }: { data: AnalyticsQuery; range: Range }) {
  // The rest of today has not happened yet.
  const points = timeseries.filter(({ start }) => Date.parse(start) <= Date.now())
  const { deliveryRate, bounceRate, complaintRate } = emailTotals
  return (
    <>
      <OverTime title="Emails over time" kind="lines" series={emails} points={points} range={range} nothing={<NoEmails />} />
      <OverTime
        title="Deliverability"
        lead={`Of the emails sent, ${percent(deliveryRate)} were delivered, ${percent(bounceRate)} bounced and ${percent(complaintRate)} were reported as spam. Mailbox providers begin to distrust senders above 2 % of bounces or 0.1 % of complaints.`}
        kind="bars"
        series={troubles}
        points={points}
        range={range}
        nothing={<Empty icon="check" title="Nothing bounced, failed or was complained about, and nobody unsubscribed" />}
      />
      <OverTime
        title="By machines"
        lead="Mail scanners and privacy services open emails and follow links too. Nobody has read these, and they do not count above."
        kind="lines"
        series={machines}
        points={points}
        range={range}
        nothing={<Empty icon="check" title="No machine has opened anything in these days" />}
      />
    </>
  )
}

function NoEmails() {
  const { id: project } = useProject()
  return (
    <Empty icon="chart" title="No email was sent in these days">
      <p>Choose other days, or send something.</p>
      <Link to="/$project/campaigns" params={{ project }} className="button">
        To the campaigns
      </Link>
    </Empty>
  )
}
