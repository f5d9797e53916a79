/** The time zone of this browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every time zone, by its IANA name; UTC first. */
export const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** What a clock in a time zone shows at a moment, such as 2026-03-29T02:30. */
export function wallClock(at: Date, zone: string): string {
  return clockOf(zone)(at)
}

/**
 * The moment at which a clock in a time zone shows a time, such as 2026-03-29T02:30; undefined for one that it never shows, as where
 * summer time begins. Of a time that is shown twice it is the first.
 */
export function momentOf(time: string, zone: string): Date | undefined {
  const asUtc = Date.parse(`${time}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const clock = clockOf(zone)
  // Zones are between 12 hours behind UTC and 14 ahead, by whole quarters of an hour.
  for (let minutes = 14 * 60; minutes >= -12 * 60; minutes -= 15) {
    const at = new Date(asUtc - minutes * 60_000)
    if (clock(at) === time) return at
  }
  return undefined
}

function clockOf(timeZone: string): (at: Date) => string {
  // Swedish writes dates and times as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at) => format.format(at).replace(' ', 'T')
}
