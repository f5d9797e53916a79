import { emailAddress, partOfAddress } from '../../../kit/address.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { before, moment, type Period, periods, preparedOnce, span, text, texts, truths } from './arguments.ts'
import { type Rules, rule } from './rule.ts'

// Addresses are stored in lower case, and international domains in Unicode.
const stored = (address: string): string => emailAddress(address) ?? address.trim().toLowerCase()
const lowered = preparedOnce(text, partOfAddress)
const addresses = preparedOnce(texts, (list) => new Set(list.map(stored)))

/** The address, in upper or lower case. */
export const emailRules: Rules<string> = {
  equals: rule(
    addresses,
    (list, { bind }) => `c.email = any(${bind([...list()])}::text[])`,
    (email, list) => list().has(email),
  ),
  notEquals: rule(
    addresses,
    (list, { bind }) => `c.email <> all(${bind([...list()])}::text[])`,
    (email, list) => !list().has(email),
  ),
  contains: rule(
    lowered,
    (part, { bind }) => `c.email like ${bind(containing(part()))}`,
    (email, part, { texts }) => texts.contains(email, part()),
  ),
  notContains: rule(
    lowered,
    (part, { bind }) => `c.email not like ${bind(containing(part()))}`,
    async (email, part, { texts }) => !(await texts.contains(email, part())),
  ),
}

const containing = (part: string): string => `%${escapeLike(part)}%`

/** Whether marketing email may be sent. */
export const subscribedRules: Rules<boolean> = {
  equals: rule(
    truths,
    (list, { bind }) => `c.subscribed = any(${bind(list)}::bool[])`,
    (subscribed, list) => list.includes(subscribed),
  ),
  notEquals: rule(
    truths,
    (list, { bind }) => `c.subscribed <> all(${bind(list)}::bool[])`,
    (subscribed, list) => !list.includes(subscribed),
  ),
}

const columns = { createdAt: 'c.created_at', updatedAt: 'c.updated_at' } as const

/** The times of a contact. */
export function dateRules(key: keyof typeof columns): Rules<Date> {
  const column = columns[key]
  const compare = (sign: string, matches: (difference: number) => boolean) =>
    rule(
      moment,
      (at, { bind }) => `${column} ${sign} ${bind(at)}::timestamptz`,
      (actual: Date, at) => matches(actual.getTime() - at.getTime()),
    )
  return {
    equals: rule(periods, (list, { bind }) => `(${inAny(column, list, bind)})`, isInAny),
    notEquals: rule(
      periods,
      (list, { bind }) => `not (${inAny(column, list, bind)})`,
      (actual, list) => !isInAny(actual, list),
    ),
    greaterThan: compare('>', (difference) => difference > 0),
    greaterThanOrEqual: compare('>=', (difference) => difference >= 0),
    lessThan: compare('<', (difference) => difference < 0),
    lessThanOrEqual: compare('<=', (difference) => difference <= 0),
    within: rule(
      span,
      (ms, { bind, now }) => `${column} >= ${bind(before(now, ms))}::timestamptz`,
      (actual, ms, { now }) => actual >= before(now, ms),
    ),
    olderThan: rule(
      span,
      (ms, { bind, now }) => `${column} < ${bind(before(now, ms))}::timestamptz`,
      (actual, ms, { now }) => actual < before(now, ms),
    ),
  }
}

function inAny(column: string, list: Period[], bind: (value: unknown) => string): string {
  return list.map(({ from, to }) => `${column} >= ${bind(from)}::timestamptz and ${column} < ${bind(to)}::timestamptz`).join(' or ')
}

function isInAny(actual: Date, list: Period[]): boolean {
  return list.some(({ from, to }) => actual >= from && actual < to)
}
