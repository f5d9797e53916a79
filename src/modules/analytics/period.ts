import { addDays, daysBetween, startsOfDays, type Zone, zoneNamed } from '../../kit/days.ts'
import { Failure } from '../../kit/errors.ts'
import { defaultDays, maxDays, type TotalsPeriod } from './shapes.ts'

/** Some days in a row, both ends included. */
export interface DayRange {
  first: string
  last: string
  count: number
}

/** The days from `startDate` to `endDate` in a zone, by default the last 30; fails with BAD_REQUEST for more than `maxDays`, and for none. */
export function daysOf(
  zone: Zone,
  now: Date,
  { startDate, endDate, maxDays }: { startDate?: string | undefined; endDate?: string | undefined; maxDays: number },
): DayRange {
  const today = zone.dayOf(now)
  const last = endDate === undefined ? today : dayIn(zone, endDate)
  const first = startDate === undefined ? addDays(last, 1 - defaultDays) : dayIn(zone, startDate)
  const count = daysBetween(first, last) + 1
  if (count < 1) throw refused('startDate', `must not be after endDate, which is ${last}`)
  if (count > maxDays) throw refused('startDate', `must be at most ${maxDays} days before the end: these are ${count} days`)
  return { first, last, count }
}

/**
 * When a range of days begins, and when it is over; null for neither day, which is all of the time. Fails with BAD_REQUEST as daysOf
 * does, for more than 366 days.
 */
export function momentsOf(now: Date, { timezone, ...days }: TotalsPeriod): { from: Date; to: Date } | null {
  if (days.startDate === undefined && days.endDate === undefined) return null
  const zone = knownZone(timezone)
  const { first, last } = daysOf(zone, now, { ...days, maxDays })
  const [from, to] = startsOfDays(zone, [first, addDays(last, 1)]) as [Date, Date]
  return { from, to }
}

/** A time zone by its name. Fails with BAD_REQUEST. */
export function knownZone(timezone: string): Zone {
  const zone = zoneNamed(timezone)
  if (!zone)
    throw new Failure('BAD_REQUEST', `There is no time zone "${timezone}".`, {
      errors: [{ field: 'timezone', message: 'is not a time zone', code: 'invalid' }],
      suggestion: 'Use a name such as Europe/Berlin or UTC.',
    })
  return zone
}

// A day is one in every zone, a moment belongs to different ones.
function dayIn(zone: Zone, day: string): string {
  return day.includes('T') ? zone.dayOf(new Date(day)) : day
}

function refused(field: string, message: string): Failure {
  return new Failure('BAD_REQUEST', `"${field}" ${message}.`, { errors: [{ field, message, code: 'invalid' }] })
}
