import type { Ctx } from '../../kit/context.ts'
import { addDays, mondayOf, startsOfDays, type Zone, zoneNamed } from '../../kit/days.ts'
import { Failure } from '../../kit/errors.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { type DayRange, daysOf } from './period.ts'
import { maxDays, maxDaysOfHours, type SeriesInterval, type TimeseriesPeriod, type TimeseriesPoint } from './shapes.ts'
import { sumQuarters } from './sql.ts'

const hourMs = 3_600_000

/**
 * What became of emails over time, without gaps, at most 2 s behind the log: by hours, days, weeks or months of a time zone, exactly, also
 * where clocks change. Fails with BAD_REQUEST for a range of more than 366 days, or 31 of hours.
 */
export async function getTimeseries(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { timezone, interval, ...asked }: TimeseriesPeriod,
): Promise<TimeseriesPoint[]> {
  const zone = zoneNamed(timezone)
  if (!zone)
    throw new Failure('BAD_REQUEST', `There is no time zone "${timezone}".`, { suggestion: 'Use a name such as Europe/Berlin or UTC.' })
  const range = daysOf(zone, clock.now(), { ...asked, maxDays: interval === 'HOUR' ? maxDaysOfHours : maxDays })
  const { starts, end } = partsOf(zone, range, interval)
  const rows = await scanned(
    db.scans.run(sumQuarters, [projectId, [...starts, end]]),
    'Counting the emails of these days took longer than 15 s.',
    'Ask for fewer days.',
  )
  const counted = new Map(rows.map(({ nth, ...counts }) => [nth, counts]))
  return starts.map((date, at) => ({ date, day: zone.dayOf(date), ...(counted.get(at + 1) ?? none) }))
}

const none = { emails: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, machineOpens: 0, machineClicks: 0 }

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
