import { Bar, LinePath } from '@visx/shape'
import type { SeriesPointFragment } from '../../graphql/graphql.ts'
import type { Series } from './series.ts'

interface Props {
  series: readonly Series[]
  points: readonly SeriesPointFragment[]
  /** Where a part of the series is. */
  x(nth: number): number
  y(value: number): number
  /** How far the parts are from each other. */
  step: number
  chosen: number | undefined
}

/** One line per series; each differs by its dashes as well as by its colour. */
export function Lines({ series, points, x, y, chosen }: Props) {
  return (
    <g>
      {chosen !== undefined && <line x1={x(chosen)} x2={x(chosen)} y1={y(0)} y2={0} className="chart-cursor" />}
      {series.map(({ name, count }, nth) => (
        <g key={name} className={`series-${nth + 1}`}>
          <LinePath data={[...points]} x={(_, at) => x(at)} y={(point) => y(point[count])} className="chart-series" />
          {points.map((point, at) =>
            at === chosen || points.length === 1 ? (
              <circle key={point.start} cx={x(at)} cy={y(point[count])} r={4} className="chart-dot" />
            ) : null,
          )}
        </g>
      ))}
    </g>
  )
}

/** One bar per part of the series, with the counts on top of each other. */
export function Bars({ series, points, x, y, step, chosen }: Props) {
  const width = Math.max(1, Math.min(40, step * 0.7))
  return (
    <g>
      {points.map((point, at) => (
        <g key={point.start} className={chosen === undefined || chosen === at ? undefined : 'chart-dim'}>
          {series.map(({ name, count }, nth) => {
            const below = series.slice(0, nth).reduce((sum, one) => sum + point[one.count], 0)
            const height = y(below) - y(below + point[count])
            return (
              <Bar
                key={name}
                x={x(at) - width / 2}
                y={y(below + point[count])}
                width={width}
                height={height}
                className={`chart-bar series-${nth + 1}`}
              />
            )
          })}
        </g>
      ))}
    </g>
  )
}
