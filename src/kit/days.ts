/** A time zone, as a calendar needs it. */
export interface Zone {
  /** The day (YYYY-MM-DD) that a moment belongs to. */
  dayOf(at: Date): string
}

const quarterMs = 900_000
const dayMs = 86_400_000
// Every offset from UTC is less than a day.
const maxQuartersBefore = dayMs / quarterMs

/** The time zone with an IANA name, in whatever case; null when there is none. An offset such as `+01:00` is no name. */
export function zoneNamed(name: string): Zone | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    // Sweden writes dates as ISO 8601 does.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, year: 'numeric', month: '2-digit', day: '2-digit' })
    return { dayOf: (at) => format.format(at) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The day some days after another one. */
export function addDays(day: string, count: number): string {
  return new Date(utc(day) + count * dayMs).toISOString().slice(0, 10)
}

/** How many days it is from one day to another, neither counted twice: 0 for the same day. */
export function daysBetween(first: string, last: string): number {
  return (utc(last) - utc(first)) / dayMs
}

/** The Monday of the week of a day (ISO 8601). */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(utc(day)).getUTCDay() + 6) % 7))
}

/**
 * When each of some days in a row begins in a zone: with its first quarter of an hour, whatever clocks do at midnight. A day that a zone
 * has left out begins with the next one.
 */
export function startsOfDays(zone: Zone, days: readonly string[]): Date[] {
  let before: Date | undefined
  return days.map((day) => {
    const guess = before && new Date(before.getTime() + dayMs)
    before = guess && isStart(zone, day, guess) ? guess : searchStart(zone, day)
    return before
  })
}

function isStart(zone: Zone, day: string, at: Date): boolean {
  return zone.dayOf(at) === day && zone.dayOf(new Date(at.getTime() - quarterMs)) < day
}

function searchStart(zone: Zone, day: string): Date {
  const from = utc(day) - dayMs
  let [low, high] = [0, 2 * maxQuartersBefore]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (zone.dayOf(new Date(from + middle * quarterMs)) >= day) high = middle
    else low = middle + 1
  }
  return new Date(from + low * quarterMs)
}

const utc = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)
