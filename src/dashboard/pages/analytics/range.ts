import type { TimeseriesInterval } from '../../graphql/graphql.ts'
import { type AnalyticsSearch, intervals, periods } from './search.ts'

/** The days that are shown, in a time zone, and how long the parts of the series are. */
export interface Range {
  startDate: string
  endDate: string
  timezone: string
  interval: TimeseriesInterval
}

const dayMs = 86_400_000

/** The time zone of the viewer. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Today, in a time zone. */
export function today(timezone = zone, now = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** The days that an address asks for. */
export function rangeOf({ period = '30d', from, to, interval }: AnalyticsSearch): Range {
  const last = today()
  const chosen = periods.find(({ value }) => value === period)
  const isOwn = period === 'custom' && from !== undefined && to !== undefined
  const startDate = isOwn ? from : daysBefore(last, (chosen?.days ?? 30) - 1)
  const endDate = isOwn ? to : last
  const possible = intervalsOf({ startDate, endDate })
  const usual = usualInterval(daysIn({ startDate, endDate }))
  return { startDate, endDate, timezone: zone, interval: interval && possible.includes(interval) ? interval : usual }
}

/** The intervals that suit a range: the API has hours of at most 31 days. */
export function intervalsOf(range: Pick<Range, 'startDate' | 'endDate'>): TimeseriesInterval[] {
  const days = daysIn(range)
  const isPossible = { HOUR: days <= 31, DAY: days > 1, WEEK: days >= 14, MONTH: days >= 56 }
  return intervals.filter((one) => isPossible[one])
}

/** Why a range cannot be shown, or undefined when it can: the API has at most 366 days. */
export function problemOfRange(range: Pick<Range, 'startDate' | 'endDate'>): string | undefined {
  const days = daysIn(range)
  if (days < 1) return 'The first day is after the last one.'
  return days > maxDays ? `These are ${days} days: choose at most ${maxDays}.` : undefined
}

const maxDays = 366

function usualInterval(days: number): TimeseriesInterval {
  if (days <= 2) return 'HOUR'
  return days <= 92 ? 'DAY' : 'WEEK'
}

function daysIn({ startDate, endDate }: Pick<Range, 'startDate' | 'endDate'>): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}
