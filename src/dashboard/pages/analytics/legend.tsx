import { number } from '../../data/format.ts'
import type { SeriesPointFragment } from '../../graphql/graphql.ts'
import { type Series, sumOf } from './series.ts'

interface Props {
  series: readonly Series[]
  points: readonly SeriesPointFragment[]
  chosen: SeriesPointFragment | undefined
  /** What the figures are of: a part of the series, or all of it. */
  title: string
  kind: 'lines' | 'bars'
}

/** The names of the series with how each is drawn, and their counts: of the part that is chosen, otherwise the sums. */
export function Legend({ series, points, chosen, title, kind }: Props) {
  return (
    <div className="legend">
      <span className="legend-title">{title}</span>
      <dl>
        {series.map(({ name, count }, nth) => (
          <div key={name}>
            <dt>
              <svg width={20} height={12} className={`series-${nth + 1}`} aria-hidden="true" focusable="false">
                {kind === 'lines' ? (
                  <line x1={0} x2={20} y1={6} y2={6} className="chart-series" />
                ) : (
                  <rect x={4} width={12} height={12} rx={2} className="chart-bar" />
                )}
              </svg>
              {name}
            </dt>
            <dd>{number(chosen ? chosen[count] : sumOf(points, count))}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
