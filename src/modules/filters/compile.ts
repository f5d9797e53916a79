import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'
import { eventsOf, isFilter, readFilter } from './language.ts'
import type { Lookup, RowScope } from './operators/rows.ts'
import type { Reach } from './operators/rule.ts'
import { findReached } from './references.ts'
import type { Condition, FieldFilter } from './shapes.ts'
import { findDeletedNames } from './sql.ts'

/**
 * How to find out whether a contact is a member of a segment: by its stored members, which a predicate over the contact `c` of the
 * project `$1` asks (that it is one, `is`, or is none), and `has` for one contact; by a condition; or, of a segment that was deleted,
 * nobody is.
 */
export type Membership =
  | { kind: 'members'; sql: (scope: RowScope, is: boolean) => string; has: (contactId: string) => Promise<boolean> }
  /** `since`: when that condition was chosen. */
  | { kind: 'condition'; condition: Condition; since: Date }
  | { kind: 'nobody' }

/** Looks up how membership of a segment is found out, as membershipIn does. */
export type FindMembership = (segmentId: string) => Promise<Membership>

/** A condition with everything that its predicate needs to know. */
export interface PreparedCondition {
  condition: Condition
  now: Date
  /** When names of events were deleted whose summaries are still being removed. */
  deletedAt: ReadonlyMap<string, Date>
  memberships: ReadonlyMap<string, Membership>
}

// Planning takes longer with each.
const maxJoins = 8

/** Looks up what the predicate of a condition depends on: the segments it leads to, and names of events that are being deleted. */
export async function prepareCondition(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { condition, membership }: { condition: Condition; membership: FindMembership },
): Promise<PreparedCondition> {
  const memberships = await findMemberships([condition], membership)
  const names = [...new Set([condition, ...conditionsOf(memberships)].flatMap(eventsOf))]
  const deleted = names.length > 0 ? await db.run(findDeletedNames, [projectId, names]) : []
  return { condition, now: clock.now(), deletedAt: new Map(deleted.map(({ name, at }) => [name, at])), memberships }
}

/**
 * The segments that some conditions lead to, with how membership of each is found out. Fails with VALIDATION_ERROR when segments refer
 * to each other in a circle, and when the conditions are too large together with those (`maxSize`).
 */
export async function findMemberships(conditions: readonly Condition[], find: FindMembership): Promise<Map<string, Membership>> {
  return findReached<Membership>(conditions, {
    read: async (ids) => new Map(await Promise.all(ids.map(async (id) => [id, await find(id)] as const))),
    conditionOf: (membership) => (membership.kind === 'condition' ? membership.condition : null),
  })
}

/** The conditions of those segments that have one. */
export function conditionsOf(memberships: ReadonlyMap<string, Membership>): Condition[] {
  return [...memberships.values()].flatMap((one) => (one.kind === 'condition' ? one.condition : []))
}

/**
 * What follows `from` in a statement about the contacts `c` of the project `$1` that match a condition. No value and no path is
 * part of its text: each goes through `bind`, which adds it to the parameters of the caller's statement. `reach` says how many
 * contacts the statement looks at.
 */
export function matchingContacts(prepared: PreparedCondition, bind: RowScope['bind'], reach: Reach): string {
  const { compile, joins } = compiler(prepared, bind, reach)
  const predicate = compile(prepared.condition)
  return `${['contacts c', ...joins].join(' ')} where c.project_id = $1 and c.deleted_at is null and ${predicate}`
}

function compiler({ now, deletedAt, memberships }: PreparedCondition, bind: RowScope['bind'], reach: Reach) {
  const joins: string[] = []
  const apart: Lookup = reach === 'few' ? 'one by one' : 'outer join'
  const rows = { bind, leftJoin }
  const scope = {
    ...rows,
    now,
    deletedAt: (name: string) => deletedAt.get(name),
    notMemberOf: (id: string) => memberOf(id, apart, false),
  }

  function compile(condition: Condition, lookup: Lookup): string {
    if (isFilter(condition)) return filterSql(condition, lookup)
    const { logic, groups } = condition
    const inner = logic === 'AND' || groups.length === 1 ? lookup : apart
    const predicates = groups.map(({ filters, conditions }) =>
      [...filters.map((filter) => filterSql(filter, inner)), ...(conditions ? [compile(conditions, inner)] : [])].join(' and '),
    )
    return `(${predicates.map((predicate) => `(${predicate})`).join(logic === 'AND' ? ' and ' : ' or ')})`
  }

  function filterSql(filter: FieldFilter, lookup: Lookup): string {
    const ready = readFilter(filter, 'audience')
    if ('problems' in ready) throw invalid('condition', ready.problems[0]?.message ?? 'is not valid')
    return ready.sql({ ...scope, lookup, memberOf: (id) => memberOf(id, lookup, true) })
  }

  function memberOf(segmentId: string, lookup: Lookup, is: boolean): string {
    const membership = memberships.get(segmentId)
    if (!membership || membership.kind === 'nobody') return String(!is)
    if (membership.kind === 'members') return membership.sql({ ...rows, lookup }, is)
    const sql = compile(membership.condition, lookup)
    return is ? sql : `(${sql}) is not true`
  }

  function leftJoin(make: (alias: string) => string): string | undefined {
    if (joins.length === maxJoins) return undefined
    const alias = `j${joins.length + 1}`
    joins.push(make(alias))
    return alias
  }

  return {
    joins,
    compile: (condition: Condition) => compile(condition, reach === 'few' ? 'one by one' : 'inner join'),
  }
}
