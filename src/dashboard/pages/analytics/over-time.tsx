import { type ReactNode, useState } from 'react'
import type { CsvColumn } from '../../data/csv.ts'
import { number } from '../../data/format.ts'
import type { SeriesPointFragment } from '../../graphql/graphql.ts'
import { Section } from '../../parts/page.tsx'
import { SaveCsv } from '../../parts/save-csv.tsx'
import { Table } from '../../parts/table.tsx'
import { Chart } from './chart.tsx'
import { labelsOf } from './labels.ts'
import type { Range } from './range.ts'
import { type Series, sumOf } from './series.ts'

interface Props {
  title: string
  /** What it is, or how it is counted. */
  lead?: ReactNode
  kind: 'lines' | 'bars'
  series: readonly Series[]
  points: readonly SeriesPointFragment[]
  range: Range
  /** Shown instead of the chart when everything is 0. */
  nothing: ReactNode
}

/** A chart over time, the same as a table below it, and as a CSV file. */
export function OverTime({ title, lead, kind, series, points, range, nothing }: Props) {
  const labels = labelsOf(range.interval, points)
  const isEmpty = series.every(({ count }) => sumOf(points, count) === 0)
  const columns: CsvColumn<SeriesPointFragment>[] = [
    { name: 'Begins', value: ({ start }) => start },
    { name: 'Day', value: ({ day }) => day },
    ...series.map(({ name, count }) => ({ name, value: (point: SeriesPointFragment) => point[count] })),
  ]
  const file = `${title.toLowerCase().replaceAll(/\W+/g, '-')}-${range.startDate}-${range.endDate}`
  return (
    <Section title={title} actions={!isEmpty && <SaveCsv label={title} file={file} columns={columns} rows={points} />}>
      {lead && <p className="muted">{lead}</p>}
      {isEmpty ? (
        nothing
      ) : (
        <>
          <Chart label={title} kind={kind} series={series} points={points} labels={labels} />
          <Figures title={title} series={series} points={points} labelOf={labels.long} />
        </>
      )}
    </Section>
  )
}

interface FiguresProps extends Pick<Props, 'title' | 'series' | 'points'> {
  labelOf(point: SeriesPointFragment): string
}

// Up to 744 rows, so they are only there once they are asked for.
function Figures({ title, series, points, labelOf }: FiguresProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="figures-table" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        The figures as a table<span className="sr-only">: {title}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="scrolls" aria-label={`Table: ${title}`} tabIndex={0}>
          <Table
            label={title}
            rows={points}
            keyOf={({ start }) => start}
            columns={[
              { name: 'When', cell: labelOf },
              ...series.map(({ name, count }) => ({ name, numeric: true, cell: (point: SeriesPointFragment) => number(point[count]) })),
            ]}
          />
        </section>
      )}
    </details>
  )
}
