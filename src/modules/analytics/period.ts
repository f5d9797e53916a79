import { addDays, daysBetween, type Zone } from '../../kit/days.ts'
import { Failure } from '../../kit/errors.ts'
import { defaultDays } from './shapes.ts'

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

// A day is one in every zone, a moment belongs to different ones.
function dayIn(zone: Zone, day: string): string {
  return day.includes('T') ? zone.dayOf(new Date(day)) : day
}

function refused(field: string, message: string): Failure {
  return new Failure('BAD_REQUEST', `"${field}" ${message}.`, { errors: [{ field, message, code: 'invalid' }] })
}
