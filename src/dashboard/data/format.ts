/** The first language that can be formatted in: some browsers name the locale of their system, such as `en-US@posix`. */
export function usableLocale(languages: readonly string[]): string {
  return languages.find(isUsable) ?? 'en'
}

function isUsable(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The language that numbers and times are written in. */
export const locale = usableLocale([navigator.language, ...navigator.languages])
const numbers = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const shortMoments = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const spans = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** 12,345 */
export const number = (value: number): string => numbers.format(value)
/** 12.3K, for tiles and badges. */
export const shortNumber = (value: number): string => compact.format(value)
/** A rate that is in percent already: 1.25 %. */
export const percent = (value: number): string => `${numbers.format(Math.round(value * 100) / 100)} %`
/** Day and time, in full. */
export const moment = (iso: string): string => moments.format(new Date(iso))
/** The day alone. */
export const day = (iso: string): string => days.format(new Date(iso))
const farMs = 300 * 86_400_000

/** Day and time as a column of a table shows them: today without the day, and without the year, unless it might be taken for another one. */
export function shortMoment(iso: string, now = new Date()): string {
  const at = new Date(iso)
  if (Math.abs(at.getTime() - now.getTime()) > farMs) return days.format(at)
  return at.toDateString() === now.toDateString() ? times.format(at) : shortMoments.format(at)
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** 5 minutes ago, in 3 days. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return spans.format(Math.round(seconds / size), unit)
}

/** 1.2 MB */
export function bytes(value: number): string {
  const power = Math.min(3, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1000)))
  return `${numbers.format(Math.round((value / 1000 ** power) * 10) / 10)} ${['B', 'kB', 'MB', 'GB'][power]}`
}

/** EMAIL_SENT → Email sent: for values of enums that have no words of their own. */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
