import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleLinear, scalePoint } from '@visx/scale'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { number, shortNumber } from '../../data/format.ts'
import type { SeriesPointFragment } from '../../graphql/graphql.ts'
import type { labelsOf } from './labels.ts'
import { Legend } from './legend.tsx'
import { Bars, Lines } from './marks.tsx'
import type { Series } from './series.ts'
import { useWidth } from './width.ts'

interface Props {
  label: string
  kind: 'lines' | 'bars'
  series: readonly Series[]
  points: readonly SeriesPointFragment[]
  labels: ReturnType<typeof labelsOf>
}

const height = 240
const margin = { top: 8, right: 20, bottom: 28, left: 44 }
const tickWidth = 88
const axisText = { className: 'chart-label', fill: 'currentColor', fontSize: 11, fontFamily: 'inherit' } as const

/**
 * Counts over time. The pointer or the arrow keys choose a part of it, whose counts are then above; otherwise the sums are. All of
 * it is in the table below as well.
 */
export function Chart({ label, kind, series, points, labels }: Props) {
  const [box, width] = useWidth()
  const [at, setAt] = useState<number>()
  const chosen = at === undefined ? undefined : points[at]
  const highest = Math.max(1, ...points.map((point) => heightOf(point, series, kind)))
  const right = Math.max(margin.left + 1, width - margin.right)
  const bottom = height - margin.bottom
  const x = scalePoint<number>({ domain: points.map((_, nth) => nth), range: [margin.left, right], padding: kind === 'bars' ? 0.5 : 0 })
  const y = scaleLinear<number>({ domain: [0, highest], range: [bottom, margin.top], nice: 4 })
  const every = Math.max(1, Math.ceil(labels.named.length / Math.max(1, Math.floor((right - margin.left) / tickWidth))))
  const marks = { series, points, x: (nth: number) => x(nth) ?? 0, y: (value: number) => y(value), step: x.step(), chosen: at }
  return (
    <div>
      <Legend series={series} points={points} chosen={chosen} title={chosen ? labels.long(chosen) : 'In all'} kind={kind} />
      <Reader
        label={label}
        points={points}
        at={at}
        onChange={setAt}
        textOf={(point) => textOf(labels.long(point), series, point)}
        place={x}
      >
        <div ref={box} className="chart">
          {width > 0 && (
            <svg width={width} height={height} aria-hidden="true" focusable="false">
              <GridRows
                scale={y}
                left={margin.left}
                width={right - margin.left}
                numTicks={4}
                className="chart-grid"
                stroke="currentColor"
              />
              <AxisLeft
                scale={y}
                left={margin.left}
                tickValues={y.ticks(4).filter(Number.isInteger)}
                tickFormat={(value) => shortNumber(Number(value))}
                tickLabelProps={{ ...axisText, textAnchor: 'end', dx: -4, dy: 4 }}
                hideAxisLine
                hideTicks
              />
              {kind === 'bars' ? <Bars {...marks} /> : <Lines {...marks} />}
              <AxisBottom
                scale={x}
                top={bottom}
                tickValues={labels.named.filter((_, nth) => nth % every === 0)}
                tickFormat={(nth) => (points[nth] ? labels.short(points[nth]) : '')}
                tickLabelProps={{ ...axisText, textAnchor: 'middle' }}
                tickClassName="chart-tick"
                axisLineClassName="chart-line"
                stroke="currentColor"
                tickStroke="currentColor"
              />
            </svg>
          )}
        </div>
      </Reader>
    </div>
  )
}

function heightOf(point: SeriesPointFragment, series: readonly Series[], kind: Props['kind']): number {
  const counts = series.map(({ count }) => point[count])
  return kind === 'bars' ? counts.reduce((sum, one) => sum + one, 0) : Math.max(...counts)
}

function textOf(when: string, series: readonly Series[], point: SeriesPointFragment): string {
  return `${when}: ${series.map(({ name, count }) => `${name} ${number(point[count])}`).join(', ')}`
}

interface ReaderProps extends Pick<Props, 'label' | 'points'> {
  at: number | undefined
  onChange(at: number | undefined): void
  textOf(point: SeriesPointFragment): string
  place(nth: number): number | undefined
  children: ReactNode
}

// A slider in the sense of ARIA: arrows, Home and End move through the parts, and each is read out.
function Reader({ label, points, at, onChange, textOf, place, children }: ReaderProps) {
  const last = points.length - 1
  const current = Math.min(at ?? last, last)
  const point = points[current]
  const move = (event: KeyboardEvent) => {
    const next = { ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: 0, End: last }[
      event.key
    ]
    if (event.key === 'Escape') onChange(undefined)
    if (next === undefined) return
    event.preventDefault()
    onChange(Math.max(0, Math.min(last, at === undefined && event.key === 'ArrowRight' ? last : next)))
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const distances = points.map((_, nth) => Math.abs((place(nth) ?? 0) - x))
    onChange(distances.indexOf(Math.min(...distances)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: read with the arrow keys`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={current}
      aria-valuetext={point ? textOf(point) : ''}
      onKeyDown={move}
      onPointerMove={follow}
      onPointerLeave={() => onChange(undefined)}
      onBlur={() => onChange(undefined)}
    >
      {children}
    </div>
  )
}
