import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'
import { eventsOf, isFilter, readFilter, segmentsOf } from './language.ts'
import type { Reach, Scope } from './operators/rule.ts'
import type { Condition, FieldFilter } from './shapes.ts'
import { findDeletedNames } from './sql.ts'

/**
 * How to find out whether a contact is a member of a segment: by a predicate over the contact `c` of the project `$1`, whose
 * values go through `bind`; by a condition; or, of a segment that was deleted, nobody is.
 */
export type Membership =
  | { kind: 'members'; sql: (bind: Scope['bind']) => string }
  | { kind: 'condition'; condition: Condition }
  | { kind: 'nobody' }

/** Looks up how membership of a segment is found out; the module of segments has it. */
export type FindMembership = (segmentId: string) => Promise<Membership>

/** A condition with everything that its predicate needs to know. */
export interface PreparedCondition {
  condition: Condition
  now: Date
  /** When names of events were deleted whose summaries are still being removed. */
  deletedAt: ReadonlyMap<string, Date>
  memberships: ReadonlyMap<string, Membership>
}

const maxFilters = 1_000

/** Looks up what the predicate of a condition depends on: the segments it refers to, and names of events that are being deleted. */
export async function prepareCondition(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { condition, membership }: { condition: Condition; membership: FindMembership },
): Promise<PreparedCondition> {
  const memberships = new Map<string, Membership>()
  const conditions = [condition]
  // Level by level; a segment is looked up once, so that a circle ends as well.
  for (let ids = segmentsOf(condition); ids.length > 0; ) {
    const found = await Promise.all(ids.map(async (id) => [id, await membership(id)] as const))
    for (const [id, one] of found) memberships.set(id, one)
    const inner = found.flatMap(([, one]) => (one.kind === 'condition' ? one.condition : []))
    conditions.push(...inner)
    ids = [...new Set(inner.flatMap(segmentsOf))].filter((id) => !memberships.has(id))
  }
  const names = [...new Set(conditions.flatMap(eventsOf))]
  const deleted = names.length > 0 ? await db.run(findDeletedNames, [projectId, names]) : []
  return { condition, now: clock.now(), deletedAt: new Map(deleted.map(({ name, at }) => [name, at])), memberships }
}

/**
 * The predicate of a condition over the contacts `c` of the project `$1`, null where it counts as false. No value and no
 * path is part of its text: each goes through `bind`, which adds it to the parameters of the caller's statement. Fails with
 * VALIDATION_ERROR when segments refer to each other in a circle, or have more than 1,000 filters together. `reach` says how
 * many contacts the statement looks at.
 */
export function predicateOf(prepared: PreparedCondition, bind: Scope['bind'], reach: Reach): string {
  return compiler(prepared, bind, reach).compile(prepared.condition)
}

/** The predicate that a contact is a member of a segment that the condition refers to, for a statement about one contact. */
export function membershipOf(prepared: PreparedCondition, bind: Scope['bind'], segmentId: string): string {
  return compiler(prepared, bind, 'few').memberOf(segmentId)
}

function compiler({ now, deletedAt, memberships }: PreparedCondition, bind: Scope['bind'], reach: Reach) {
  // The segments whose conditions are being compiled, from the outermost.
  const open: string[] = []
  let count = 0
  const scope: Scope = { bind, now, reach, deletedAt: (name) => deletedAt.get(name), memberOf }

  function compile(condition: Condition): string {
    if (isFilter(condition)) return filterSql(condition)
    const groups = condition.groups.map(({ filters, conditions }) =>
      [...filters.map(filterSql), ...(conditions ? [compile(conditions)] : [])].join(' and '),
    )
    return `(${groups.map((group) => `(${group})`).join(condition.logic === 'AND' ? ' and ' : ' or ')})`
  }

  function filterSql(filter: FieldFilter): string {
    if (++count > maxFilters)
      throw invalid('condition', `has more than ${maxFilters} filters with those of the segments it refers to`, 'too_big')
    const ready = readFilter(filter, 'audience')
    if ('problems' in ready) throw invalid('condition', ready.problems[0]?.message ?? 'is not valid')
    return ready.sql(scope)
  }

  function memberOf(segmentId: string): string {
    const membership = memberships.get(segmentId)
    if (!membership || membership.kind === 'nobody') return 'false'
    if (membership.kind === 'members') return `(${membership.sql(bind)})`
    if (open.includes(segmentId)) throw invalid('condition', 'refers to segments that refer to each other in a circle', 'circular')
    open.push(segmentId)
    const sql = compile(membership.condition)
    open.pop()
    return sql
  }

  return { compile, memberOf }
}
