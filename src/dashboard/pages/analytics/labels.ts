import { locale } from '../../data/format.ts'
import type { SeriesPointFragment, TimeseriesInterval } from '../../graphql/graphql.ts'
import { zone } from './range.ts'

const options: Record<TimeseriesInterval, { short: Intl.DateTimeFormatOptions; long: Intl.DateTimeFormatOptions }> = {
  HOUR: {
    short: { day: 'numeric', month: 'short', timeZone: zone },
    long: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: zone },
  },
  DAY: {
    short: { day: 'numeric', month: 'short', timeZone: 'UTC' },
    long: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  },
  WEEK: {
    short: { day: 'numeric', month: 'short', timeZone: 'UTC' },
    long: { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  },
  MONTH: { short: { month: 'short', timeZone: 'UTC' }, long: { month: 'long', year: 'numeric', timeZone: 'UTC' } },
}
const hours = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: zone })

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A day such as 2026-03-01, as people write it. */
export const dayOf = (day: string): string => days.format(new Date(`${day}T00:00Z`))

/** What the parts of a series are called: briefly below a chart, and in full in a table; and which may be named below a chart. */
export function labelsOf(interval: TimeseriesInterval, points: readonly Pick<SeriesPointFragment, 'day'>[]) {
  const short = new Intl.DateTimeFormat(locale, options[interval].short)
  const long = new Intl.DateTimeFormat(locale, options[interval].long)
  const isOneDay = interval === 'HOUR' && points.at(0)?.day === points.at(-1)?.day
  // An hour is a moment; anything longer is a day of the zone, whatever its moment is elsewhere.
  const momentOf = ({ start, day }: Pick<SeriesPointFragment, 'start' | 'day'>) => new Date(interval === 'HOUR' ? start : `${day}T00:00Z`)
  const isNamed = (nth: number) => interval !== 'HOUR' || isOneDay || nth === 0 || points[nth]?.day !== points[nth - 1]?.day
  return {
    /** Of hours of several days only those that a day begins with. */
    named: points.flatMap((_, nth) => (isNamed(nth) ? [nth] : [])),
    short: (point: SeriesPointFragment) => (isOneDay ? hours : short).format(momentOf(point)),
    long: (point: SeriesPointFragment) => `${interval === 'WEEK' ? 'Week of ' : ''}${long.format(momentOf(point))}`,
  }
}
