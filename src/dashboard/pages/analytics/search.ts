import { oneOf, text } from '../../data/search.ts'
import type { CampaignMetric, TimeseriesInterval } from '../../graphql/graphql.ts'

/** The periods to choose from; each ends today, but for the one with days of one's own. */
export const periods = [
  { value: 'today', label: 'Today', days: 1, before: 'the day before' },
  { value: '7d', label: 'Last 7 days', days: 7, before: 'the 7 before' },
  { value: '30d', label: 'Last 30 days', days: 30, before: 'the 30 before' },
  { value: '90d', label: 'Last 90 days', days: 90, before: 'the 90 before' },
  { value: '12m', label: 'Last 12 months', days: 365, before: 'the year before' },
  { value: 'custom', label: 'Other days', days: 30, before: 'as many days before' },
] as const

/** The name of a period in addresses. */
export type PeriodName = (typeof periods)[number]['value']

/** How long the parts of a series are, from short to long. */
export const intervals: readonly TimeseriesInterval[] = ['HOUR', 'DAY', 'WEEK', 'MONTH']

/** What campaigns are compared by, in the order of the filter. */
export const metrics: readonly CampaignMetric[] = ['OPENS', 'CLICKS', 'OPEN_RATE', 'CLICK_RATE', 'SENT']

/** What the address of the analytics says. */
export interface AnalyticsSearch {
  /** The last 30 days when it names none. */
  period?: PeriodName | undefined
  /** The first and the last day of other days. */
  from?: string | undefined
  to?: string | undefined
  interval?: TimeseriesInterval | undefined
  metric?: CampaignMetric | undefined
  /** Whether events of the platform count as well. */
  events?: 'all' | undefined
}

/** Reads the address of the analytics. */
export function analyticsSearch(given: Record<string, unknown>): AnalyticsSearch {
  return {
    period: oneOf(
      periods.map(({ value }) => value),
      given.period,
    ),
    from: dayOf(given.from),
    to: dayOf(given.to),
    interval: oneOf(intervals, given.interval),
    metric: oneOf(metrics, given.metric),
    events: oneOf(['all'], given.events),
  }
}

function dayOf(given: unknown): string | undefined {
  const day = text(given)
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined
}
