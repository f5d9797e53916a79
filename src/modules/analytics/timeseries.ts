import type { Ctx } from '../../kit/context.ts'
import { addDays, daysBetween, mondayOf, startsOfDays, type Zone } from '../../kit/days.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { type DayRange, daysOf, knownZone } from './period.ts'
import { maxDays, maxDaysOfHours, type SeriesInterval, type TimeseriesPeriod, type TimeseriesPoint, type TotalsPeriod } from './shapes.ts'
import { type PartRow, sumQuarters } from './sql.ts'

const hourMs = 3_600_000

/**
 * What became of emails over time, without gaps, at most 2 s behind the log: by hours, days, weeks or months of a time zone, exactly, also
 * where clocks change. Fails with BAD_REQUEST for a range of more than 366 days, or 31 of hours.
 */
export async function getTimeseries(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { timezone, interval, ...asked }: TimeseriesPeriod,
): Promise<TimeseriesPoint[]> {
  const zone = knownZone(timezone)
  const range = daysOf(zone, clock.now(), { ...asked, maxDays: interval === 'HOUR' ? maxDaysOfHours : maxDays })
  const { starts, end } = partsOf(zone, range, interval)
  const rows = await sumParts({ db, projectId }, [...starts, end])
  const counted = new Map(rows.map(({ nth, ...counts }) => [nth, counts]))
  return starts.map((date, at) => ({ date, day: zone.dayOf(date), ...(counted.get(at + 1) ?? none) }))
}

/** What became of the emails of a range of days, with rates in percent of those sent (two decimals; 0 when nothing was sent). */
export type EmailTotals = typeof none & {
  startDate: string
  endDate: string
  timezone: string
  deliveryRate: number
  openRate: number
  clickRate: number
  bounceRate: number
  complaintRate: number
}

/** The sums of the time series of some days, by default the last 30. Fails with BAD_REQUEST for a range of more than 366 days. */
export async function getEmailTotals(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { timezone, ...asked }: TotalsPeriod,
): Promise<EmailTotals> {
  const zone = knownZone(timezone)
  const { first, last } = daysOf(zone, clock.now(), { ...asked, maxDays })
  const [row] = await sumParts({ db, projectId }, startsOfDays(zone, [first, addDays(last, 1)]))
  const { nth: _, ...counts } = row ?? { nth: 1, ...none }
  const percent = (part: number) => (counts.emails === 0 ? 0 : Math.round((part / counts.emails) * 10_000) / 100)
  return {
    ...counts,
    startDate: first,
    endDate: last,
    timezone,
    deliveryRate: percent(counts.delivered),
    openRate: percent(counts.opens),
    clickRate: percent(counts.clicks),
    bounceRate: percent(counts.bounces),
    complaintRate: percent(counts.complained),
  }
}

/** The same of as many days before. */
export async function getTotalsBefore(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { startDate, endDate, timezone }: Pick<EmailTotals, 'startDate' | 'endDate' | 'timezone'>,
): Promise<EmailTotals> {
  const days = daysBetween(startDate, endDate) + 1
  return getEmailTotals(ctx, { startDate: addDays(startDate, -days), endDate: addDays(endDate, -days), timezone })
}

function sumParts({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, times: Date[]): Promise<PartRow[]> {
  const counting = db.scans.run(sumQuarters, [projectId, times])
  return scanned(counting, 'Counting the emails of these days took longer than 15 s.', 'Ask for fewer days.')
}

const none = {
  emails: 0,
  delivered: 0,
  opens: 0,
  clicks: 0,
  bounces: 0,
  machineOpens: 0,
  machineClicks: 0,
  complained: 0,
  failed: 0,
  unsubscribed: 0,
}

/** When each part of a range begins, and when the last one ends. */
function partsOf(zone: Zone, { first, count }: DayRange, interval: SeriesInterval): { starts: Date[]; end: Date } {
  const days = Array.from({ length: count }, (_, at) => addDays(first, at))
  const starts = startsOfDays(zone, [...days, addDays(first, count)])
  const [begin, end] = [starts[0] as Date, starts.pop() as Date]
  if (interval === 'DAY') return { starts, end }
  if (interval === 'HOUR') {
    const hours = Math.ceil((end.getTime() - begin.getTime()) / hourMs)
    return { starts: Array.from({ length: hours }, (_, at) => new Date(begin.getTime() + at * hourMs)), end }
  }
  const groupOf = (day: string | undefined) => (interval === 'WEEK' ? mondayOf(day ?? '') : day?.slice(0, 7))
  return { starts: starts.filter((_, at) => at === 0 || groupOf(days[at]) !== groupOf(days[at - 1])), end }
}
