import type { FieldFilter, FilterUnit, Need } from '../shapes.ts'

/** What is wrong with a part of a filter. */
export interface Problem {
  part: 'field' | 'operator' | 'value' | 'unit'
  message: string
  code: string
}

/** What an operator needs, and how it is read from a filter. */
export interface Argument<Arg, Needs extends Need = Need> {
  needs: Needs
  /** `outdated` is why a filter that is sent is refused, though one that was stored before goes on as it did. */
  read(filter: FieldFilter): { arg: Arg; outdated?: Problem[] } | { problems: Problem[] }
}

/** A value that custom data is compared with. */
export type Scalar = string | number | boolean

const maxListed = 1_000
const dayMs = 86_400_000
const unitMs: Record<FilterUnit, number> = { days: dayMs, hours: 3_600_000, minutes: 60_000 }
const maxSpanMs = 100 * 365.25 * dayMs

/** No value; one that is sent is ignored. */
export const nothing: Argument<null, 'nothing'> = { needs: 'nothing', read: () => ({ arg: null }) }

/** No value; one that is sent is refused. */
export const noValue: Argument<null, 'nothing'> = {
  needs: 'nothing',
  read: ({ operator, value }) =>
    value == null
      ? { arg: null }
      : { problems: [{ part: 'value', message: `must be left out: "${operator}" takes none`, code: 'unrecognized' }] },
}

/** Text. */
export const text = required('must be text', (value) => (typeof value === 'string' ? value : undefined))

/** Text, or a list of it. */
export const texts = required(
  'must be text, or a list of 1 to 1,000 texts',
  listOf((value) => (typeof value === 'string' ? value : undefined)),
)

/** Text, a number, true or false, or a list of them. */
export const scalars = required('must be text, a number, true or false, or a list of 1 to 1,000 of them', listOf(scalar))

const truthSentence = 'must be true or false, or a list of 1 to 1,000 of them'

/** True or false, or a list of them. What was stored before anything else was refused may be anything: only `true` is true. */
export const truths: Argument<boolean[], 'value'> = {
  needs: 'value',
  read({ operator, value }) {
    if (value == null) return { problems: [missing(operator)] }
    const given: unknown[] = Array.isArray(value) ? value : [value]
    const isRight = given.every((one) => typeof one === 'boolean') && given.length > 0 && given.length <= maxListed
    const outdated: Problem[] = isRight ? [] : [{ part: 'value', message: truthSentence, code: 'invalid_value' }]
    return { arg: given.map((one) => one === true), outdated }
  },
}

/** A number or text. */
export const comparable = required('must be a number or text', (value) => {
  const read = scalar(value)
  return typeof read === 'boolean' ? undefined : read
})

const momentSentence = 'must be an ISO 8601 date such as 2026-01-31 or 2026-01-31T09:30:00Z, or milliseconds since 1970'

/** A moment; a date is the begin of its day in UTC. */
export const moment = required(momentSentence, momentOf)

/** The time from a moment up to another, which does not belong to it. */
export interface Period {
  from: Date
  to: Date
}

/** The whole UTC day of a date, with or without a time, or one moment; or a list of them. */
export const periods = required(`${momentSentence}; or a list of 1 to 1,000 of them`, listOf(periodOf))

/** A span of time up to now, in ms. */
export const span: Argument<number, 'span'> = {
  needs: 'span',
  read({ operator, value, unit }) {
    const problems: Problem[] = []
    if (value == null) problems.push(missing(operator))
    else if (typeof value !== 'number' || !(value > 0) || value * unitMs[unit ?? 'minutes'] > maxSpanMs)
      problems.push({ part: 'value', message: 'must be a number above 0, and at most 100 years', code: 'invalid_value' })
    if (unit === undefined)
      problems.push({ part: 'unit', message: `is required by "${operator}": days, hours or minutes`, code: 'required' })
    return problems.length > 0 || unit === undefined ? { problems } : { arg: Number(value) * unitMs[unit] }
  },
}

/** The UTC day of a text that is a date, with or without a time. */
export function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value) ? dayOrBeginOf(value) : undefined
}

/** Times with an offset whose UTC day JavaScript and Postgres agree on, as a pattern for both; the day may be one that no month has. */
export const offsetPattern =
  '^(?!0000|0001|9999)[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?[+-](0[0-9]|1[0-5]):[0-5][0-9]$'
const withOffset = new RegExp(offsetPattern)

/** The UTC day of a time with an offset; what any other text begins with, which is the day of a date and of a time in UTC. */
export function dayOrBeginOf(text: string): string {
  const begin = text.slice(0, 10)
  return withOffset.test(text) && isDay(begin) ? new Date(text).toISOString().slice(0, 10) : begin
}

/** A moment some ms before another. */
export function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}

/** An argument of which something is prepared when it is first used, and once. */
export function preparedOnce<Arg, Prepared, Needs extends Need>(
  argument: Argument<Arg, Needs>,
  prepare: (arg: Arg) => Prepared,
): Argument<() => Prepared, Needs> {
  return {
    needs: argument.needs,
    read(filter) {
      const found = argument.read(filter)
      if ('problems' in found) return found
      let made: { value: Prepared } | undefined
      return {
        arg: () => {
          made ??= { value: prepare(found.arg) }
          return made.value
        },
      }
    },
  }
}

function required<Arg>(message: string, read: (value: unknown) => Arg | undefined): Argument<Arg, 'value'> {
  return {
    needs: 'value',
    read({ operator, value }) {
      if (value == null) return { problems: [missing(operator)] }
      const arg = read(value)
      return arg === undefined ? { problems: [{ part: 'value', message, code: 'invalid_value' }] } : { arg }
    },
  }
}

const missing = (operator: string): Problem => ({ part: 'value', message: `is required by "${operator}"`, code: 'required' })

function listOf<One>(read: (value: unknown) => One | undefined): (value: unknown) => One[] | undefined {
  return (value) => {
    const given: unknown[] = Array.isArray(value) ? value : [value]
    const all = given.flatMap((one) => read(one) ?? [])
    return all.length === given.length && all.length > 0 && all.length <= maxListed ? all : undefined
  }
}

function scalar(value: unknown): Scalar | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined
}

function momentOf(value: unknown): Date | undefined {
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)
  if (!isDate && typeof value !== 'number') return undefined
  const date = new Date(value)
  // A day that no month has would become one of the next month.
  if (typeof value === 'string' && !isDay(value.slice(0, 10))) return undefined
  const year = date.getUTCFullYear()
  return year > 0 && year < 9999 ? date : undefined
}

function isDay(day: string): boolean {
  const begin = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(begin.getTime()) && begin.toISOString().startsWith(day)
}

function periodOf(value: unknown): Period | undefined {
  const at = momentOf(value)
  if (at === undefined) return undefined
  const isDate = typeof value === 'string'
  const from = isDate ? new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`) : at
  return { from, to: new Date(from.getTime() + (isDate ? dayMs : 1)) }
}
