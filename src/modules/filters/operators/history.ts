import { before, nothing, noValue, span } from './arguments.ts'
import { hasRow } from './rows.ts'
import { type Rules, rule, type Scope } from './rule.ts'

/** What the time of the last event must fulfil, by the alias of the table. */
type When = (alias: string) => string[]

const ever: When = () => []
const since = (ms: number, { bind, now }: Scope): When => {
  return (e) => [`${e}.last_at >= ${bind(before(now, ms))}::timestamptz`]
}
const longerAgo = (ms: number, { bind, now }: Scope): When => {
  return (e) => [`${e}.last_at < ${bind(before(now, ms))}::timestamptz`]
}

/** When an event last happened; null when it never did. */
export function eventRules(name: string): Rules<Date | null> {
  return {
    triggered: rule(
      nothing,
      (_, scope) => happened(name, scope, ever, true),
      (last) => last !== null,
    ),
    notTriggered: rule(
      nothing,
      (_, scope) => happened(name, scope, ever, false),
      (last) => last === null,
    ),
    triggeredWithin: rule(
      span,
      (ms, scope) => happened(name, scope, since(ms, scope), true),
      (last, ms, { now }) => last !== null && last >= before(now, ms),
    ),
    notTriggeredWithin: rule(
      span,
      (ms, scope) => happened(name, scope, since(ms, scope), false),
      (last, ms, { now }) => !(last !== null && last >= before(now, ms)),
    ),
    triggeredOlderThan: rule(
      span,
      (ms, scope) => happened(name, scope, longerAgo(ms, scope), true),
      (last, ms, { now }) => last !== null && last < before(now, ms),
    ),
  }
}

function happened(name: string, scope: Scope, when: When, is: boolean): string {
  const { bind, deletedAt } = scope
  const deleted = deletedAt(name)
  const where = (e: string): string[] => [
    `${e}.name = ${bind(name)}`,
    ...when(e),
    ...(deleted ? [`${e}.last_at > ${bind(deleted)}::timestamptz`] : []),
  ]
  return hasRow(scope, { table: 'contact_events', where }, is)
}

/** Whether a contact is a member of a segment. */
export function segmentRules(id: string): Rules<boolean> {
  return {
    memberOfSegment: rule(
      noValue,
      (_, scope) => scope.memberOf(id),
      (member) => member,
    ),
    notMemberOfSegment: rule(
      noValue,
      (_, scope) => scope.notMemberOf(id),
      (member) => !member,
    ),
  }
}
