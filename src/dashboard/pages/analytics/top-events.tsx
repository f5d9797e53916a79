import type { CsvColumn } from '../../data/csv.ts'
import { problemOf } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import type { LiveItem } from '../../data/live.ts'
import { useLiveRefresh } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { TopEventsDocument, type TopEventsQuery } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { SaveCsv } from '../../parts/save-csv.tsx'
import { Select } from '../../parts/select.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import type { Range } from './range.ts'

type Row = TopEventsQuery['topEvents'][number]

const columns: CsvColumn<Row>[] = [
  { name: 'Event', value: ({ name }) => name },
  { name: 'Count', value: ({ count }) => count },
  { name: 'Change in percent', value: ({ trend }) => trend },
]
const options = [
  { value: 'tracked', label: 'Tracked events' },
  { value: 'all', label: 'All events' },
] as const

interface Props {
  range: Range
  which: 'all' | undefined
  onChange(which: 'all' | undefined): void
}

const refreshMs = 5_000
const concerns = ({ type }: LiveItem) => type === 'EVENT_TRIGGERED'

/** What happened most often in some days, and how that has changed. */
export function TopEvents({ range: { startDate, endDate }, which, onChange }: Props) {
  const [{ data, error }, ask] = useRead({ query: TopEventsDocument, variables: { startDate, endDate, tracked: which !== 'all' } })
  const again = () => ask({ requestPolicy: 'network-only' })
  useLiveRefresh(concerns, again, refreshMs)
  const rows = data?.topEvents
  return (
    <Section
      title="Top events"
      actions={
        <>
          <Select
            label="Which events"
            value={which ?? 'tracked'}
            options={options}
            onChange={(next) => onChange(next === 'all' ? next : undefined)}
          />
          {rows && rows.length > 0 && (
            <SaveCsv label="Top events" file={`top-events-${startDate}-${endDate}`} columns={columns} rows={rows} />
          )}
        </>
      }
    >
      <p className="muted">In these days of UTC, against as many days before.</p>
      {error && <ProblemNote problem={problemOf(error)} onRetry={again} />}
      {!rows && !error && <Loading rows={4} />}
      {rows?.length === 0 && (
        <Empty icon="activity" title="No event happened in these days">
          Track one with <code>POST /v1/track</code>, or choose other days.
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <Table
          label="Top events"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Event', cell: ({ name }) => <strong>{name}</strong> },
            { name: 'Count', numeric: true, cell: ({ count }) => number(count) },
            { name: 'Change', numeric: true, cell: ({ trend }) => <Trend trend={trend} /> },
          ]}
        />
      )}
    </Section>
  )
}

function Trend({ trend }: { trend: number }) {
  if (trend === 0) return <span className="muted">unchanged</span>
  const isUp = trend > 0
  return (
    <span>
      <span aria-hidden="true">{isUp ? '▲' : '▼'} </span>
      <span className="sr-only">{isUp ? 'up by' : 'down by'} </span>
      {number(Math.abs(trend))} %
    </span>
  )
}
