import {
  before,
  comparable,
  dayOf,
  dayOrBeginOf,
  nothing,
  offsetPattern,
  preparedOnce,
  type Scalar,
  scalars,
  span,
  text,
} from './arguments.ts'
import { type Rules, rule, type Scope } from './rule.ts'

/** Where a custom field is: its whole key, and the path that it also may be. */
interface Place {
  key: string
  path: string[]
}

/**
 * Custom data: JSON, compared by type and case. A field that is missing matches only `notExists`; JSON null is there, as far as
 * `notEquals` and `notContains` go, and does not exist, as far as `exists` goes. No index helps: one on `data` would halve the
 * rate of writes.
 */
export function dataRules(place: Place): Rules<unknown> {
  return { ...equality(place), ...containment(place), ...order(place), ...presence(place), ...windows(place) }
}

// A key with dots itself is preferred to the path that it also may be. An arrow with text finds keys of objects only, never
// entries of lists.
function json({ key, path }: Place, { bind }: Scope): string {
  const arrow = (keys: string[]) => ['c.data', ...keys.map((one) => `${bind(one)}::text`)].join(' -> ')
  return path.length > 1 ? `coalesce(${arrow([key])}, ${arrow(path)})` : `(${arrow([key])})`
}

const asText = (value: string): string => `(${value} #>> '{}')`
const isText = (value: string): string => `jsonb_typeof(${value}) = 'string'`

/** What a value may equal: the UTC day of a date, and anything else itself. */
interface Listed {
  days: Set<string>
  others: Set<Scalar>
}

const listed = preparedOnce(scalars, (list): Listed => {
  const found: Listed = { days: new Set(), others: new Set() }
  for (const one of list) {
    const day = dayOf(one)
    if (day === undefined) found.others.add(one)
    else found.days.add(day)
  }
  return found
})

function equality(place: Place): Rules<unknown> {
  return {
    equals: rule(
      listed,
      (list, scope) => equalsAny(place, list(), scope),
      (actual, list) => isAny(actual, list()),
    ),
    notEquals: rule(
      listed,
      (list, scope) => {
        const value = json(place, scope)
        return `(${value} is not null and (${anyOf(value, list(), scope)}) is not true)`
      },
      (actual, list) => actual !== undefined && !isAny(actual, list()),
    ),
  }
}

// The planner estimates containment well, and equality of an expression badly.
function equalsAny(place: Place, list: Listed, scope: Scope): string {
  const [only, ...others] = list.others
  if (others.length > 0 || place.path.length > 1 || list.days.size > 0) return `(${anyOf(json(place, scope), list, scope)})`
  return `c.data @> ${scope.bind(JSON.stringify({ [place.key]: only }))}::jsonb`
}

function anyOf(value: string, { days, others }: Listed, { bind }: Scope): string {
  const tests = [
    ...(days.size > 0 ? [`${daySql(asText(value))} = any(${bind([...days])}::text[])`] : []),
    ...(others.size > 0 ? [`${value} = any(${bind([...others].map((one) => JSON.stringify(one)))}::jsonb[])`] : []),
  ]
  return tests.join(' or ')
}

// As dayOrBeginOf, with a test first that costs less than the pattern.
function daySql(value: string): string {
  const isTime = `${value} like '____-__-__T%:__' and ${value} ~ '${offsetPattern}' and pg_input_is_valid(left(${value}, 10), 'date')`
  return `case when ${isTime} then to_char(${value}::timestamptz at time zone 'UTC', 'YYYY-MM-DD') else left(${value}, 10) end`
}

function isAny(actual: unknown, { days, others }: Listed): boolean {
  return others.has(actual as Scalar) || (days.size > 0 && typeof actual === 'string' && days.has(dayOrBeginOf(actual)))
}

function containment(place: Place): Rules<unknown> {
  const contains = (value: string, part: string, { bind }: Scope) => `${isText(value)} and strpos(${asText(value)}, ${bind(part)}) > 0`
  return {
    contains: rule(
      text,
      (part, scope) => `(${contains(json(place, scope), part, scope)})`,
      (actual, part, { texts }) => typeof actual === 'string' && texts.contains(actual, part),
    ),
    notContains: rule(
      text,
      (part, scope) => {
        const value = json(place, scope)
        return `(${value} is not null and (${contains(value, part, scope)}) is not true)`
      },
      async (actual, part, { texts }) => actual !== undefined && !(typeof actual === 'string' && (await texts.contains(actual, part))),
    ),
  }
}

function order(place: Place): Rules<unknown> {
  const compare = (sign: string, matches: (difference: number) => boolean) =>
    rule(
      comparable,
      (than, scope) => compareSql(json(place, scope), sign, than, scope),
      (actual: unknown, than) => matches(difference(actual, than)),
    )
  return {
    greaterThan: compare('>', (by) => by > 0),
    greaterThanOrEqual: compare('>=', (by) => by >= 0),
    lessThan: compare('<', (by) => by < 0),
    lessThanOrEqual: compare('<=', (by) => by <= 0),
  }
}

// In jsonb, null < text < numbers < booleans < lists < objects.
function compareSql(value: string, sign: string, than: string | number, { bind }: Scope): string {
  if (typeof than === 'string') return `(${isText(value)} and ${asText(value)} collate "C" ${sign} ${bind(than)})`
  const onlyNumbers = sign.startsWith('>') ? `${value} < 'false'` : `jsonb_typeof(${value}) = 'number'`
  return `(${value} ${sign} ${bind(JSON.stringify(than))}::jsonb and ${onlyNumbers})`
}

// NaN for values that are not comparable: no comparison with it is true.
function difference(actual: unknown, than: string | number): number {
  if (typeof actual === 'number' && typeof than === 'number') return actual < than ? -1 : actual > than ? 1 : 0
  return typeof actual === 'string' && typeof than === 'string' ? compareText(actual, than) : Number.NaN
}

// By code points, as collation "C" compares UTF-8. What a text has beyond the length of the other, and one more, decides nothing: one
// may have a megabyte.
function compareText(one: string, other: string): number {
  const decisive = Math.min(one.length, other.length) + 1
  return Buffer.compare(Buffer.from(one.slice(0, decisive)), Buffer.from(other.slice(0, decisive)))
}

function presence(place: Place): Rules<unknown> {
  return {
    exists: rule(
      nothing,
      (_, scope) => `${json(place, scope)} <> 'null'`,
      (actual) => actual != null,
    ),
    notExists: rule(
      nothing,
      (_, scope) => `coalesce(${json(place, scope)}, 'null') = 'null'`,
      (actual) => actual == null,
    ),
  }
}

const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)'

// ISO dates are compared as text; text that is not a date is never within a time.
function windows(place: Place): Rules<unknown> {
  const compare = (sign: string, matches: (difference: number) => boolean) =>
    rule(
      span,
      (ms, scope) => {
        const value = json(place, scope)
        return `(${compareSql(value, sign, before(scope.now, ms).toISOString(), scope)} and ${asText(value)} ~ '${datePattern}')`
      },
      (actual: unknown, ms, { now }) => dayOf(actual) !== undefined && matches(compareText(String(actual), before(now, ms).toISOString())),
    )
  return { within: compare('>=', (by) => by >= 0), olderThan: compare('<', (by) => by < 0) }
}
