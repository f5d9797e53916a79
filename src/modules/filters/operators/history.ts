import { before, nothing, span, withoutValue } from './arguments.ts'
import { type Rules, rule, type Scope } from './rule.ts'

/** When an event last happened; null when it never did. */
export function eventRules(name: string): Rules<Date | null> {
  const within = (ms: number, scope: Scope) => happened(name, scope, `e.last_at >= ${scope.bind(before(scope.now, ms))}::timestamptz`)
  return {
    triggered: rule(
      nothing,
      (_, scope) => happened(name, scope),
      (last) => last !== null,
    ),
    notTriggered: rule(
      nothing,
      (_, scope) => `not ${happened(name, scope)}`,
      (last) => last === null,
    ),
    triggeredWithin: rule(span, within, (last, ms, now) => last !== null && last >= before(now, ms)),
    notTriggeredWithin: rule(
      span,
      (ms, scope) => `not ${within(ms, scope)}`,
      (last, ms, now) => !(last !== null && last >= before(now, ms)),
    ),
    triggeredOlderThan: rule(
      span,
      (ms, scope) => happened(name, scope, `e.last_at < ${scope.bind(before(scope.now, ms))}::timestamptz`),
      (last, ms, now) => last !== null && last < before(now, ms),
    ),
  }
}

function happened(name: string, { bind, deletedAt, reach }: Scope, ...when: string[]): string {
  const deleted = deletedAt(name)
  const conditions = [
    'e.project_id = $1',
    `e.name = ${bind(name)}`,
    'e.contact_id = c.id',
    ...when,
    ...(deleted ? [`e.last_at > ${bind(deleted)}::timestamptz`] : []),
  ]
  // Postgres cannot make a join or a hash table of a subquery with an offset. It would take a hash table of all contacts also
  // for a page of 20, because it does not know by then how few it looks at.
  return `exists (select from contact_events e where ${conditions.join(' and ')}${reach === 'few' ? ' offset 0' : ''})`
}

/** Whether a contact is a member of a segment. */
export function segmentRules(id: string): Rules<boolean> {
  return {
    memberOfSegment: rule(
      withoutValue,
      (_, scope) => scope.memberOf(id),
      (member) => member,
    ),
    notMemberOfSegment: rule(
      withoutValue,
      (_, scope) => `(${scope.memberOf(id)}) is not true`,
      (member) => !member,
    ),
  }
}
