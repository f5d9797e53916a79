import { number, percent, shortNumber } from '../data/format.ts'
import type { TotalsFragment } from '../graphql/graphql.ts'

interface Tile {
  title: string
  count: keyof TotalsFragment
  /** Its share of what was sent. */
  rate?: keyof TotalsFragment
  /** More of it is worse. */
  isBad?: true
}

const tiles: Tile[] = [
  { title: 'Sent', count: 'sent' },
  { title: 'Delivered', count: 'delivered', rate: 'deliveryRate' },
  { title: 'Opened', count: 'opened', rate: 'openRate' },
  { title: 'Clicked', count: 'clicked', rate: 'clickRate' },
  { title: 'Bounced', count: 'bounced', rate: 'bounceRate', isBad: true },
  { title: 'Complaints', count: 'complained', rate: 'complaintRate', isBad: true },
]

interface Props {
  /** Which days, such as Last 30 days. */
  title: string
  /** Which days they are compared with, such as the 30 before. */
  before: string
  totals: TotalsFragment & { previous: TotalsFragment }
}

/** What became of emails on some days, against as many days before. */
export function Tiles({ title, before, totals }: Props) {
  return (
    <section aria-label={`${title} against ${before}`}>
      <h2 className="tiles-title">
        {title} <span className="muted">against {before}</span>
      </h2>
      <dl className="tiles">
        {tiles.map(({ title, count, rate, isBad }) => (
          <div key={title} className="tile">
            <dt>{title}</dt>
            <dd className="tile-count" title={number(totals[count])}>
              {shortNumber(totals[count])}
            </dd>
            <dd className="tile-more">
              {rate && <span>{percent(totals[rate])}</span>}
              <Difference now={totals[rate ?? count]} before={totals.previous[rate ?? count]} isRate={rate !== undefined} isBad={isBad} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface DifferenceProps {
  now: number
  before: number
  isRate: boolean
  isBad?: boolean | undefined
}

// Of rates in points, of counts in percent. An arrow says the direction, the colour whether that is good.
function Difference({ now, before, isRate, isBad }: DifferenceProps) {
  if (!isRate && before === 0) return <span className="muted">{now === 0 ? 'nothing sent yet' : 'none before'}</span>
  const difference = isRate ? now - before : ((now - before) / before) * 100
  const rounded = Math.round(difference * 10) / 10
  if (rounded === 0) return <span className="muted">unchanged</span>
  const isUp = rounded > 0
  return (
    <span className={isUp === Boolean(isBad) ? 'worse' : 'better'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'} </span>
      <span className="sr-only">{isUp ? 'up by' : 'down by'} </span>
      {number(Math.abs(rounded))} {isRate ? 'points' : '%'}
    </span>
  )
}
