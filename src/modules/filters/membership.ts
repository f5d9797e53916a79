import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { readerOfProjects } from '../../kit/load.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { recent } from '../../kit/recent.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type FindMembership, findMemberships, type Membership } from './compile.ts'
import { hasRow, type RowScope, type Rows } from './operators/rows.ts'
import { holdExisting } from './segments/sql.ts'
import type { Condition } from './shapes.ts'
import { findMembers, findSegments } from './sql.ts'

/**
 * How membership of the segments of a project is found out: of a dynamic one by its condition, at the moment of asking; of a
 * static one by its stored members; nobody is a member of one that does not exist. Parallel lookups of a project are one statement.
 */
export function membershipIn({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>): FindMembership {
  return (segmentId) => lookup({ world, projectId }, segmentId)
}

/** The conditions of segments by their ids. */
export type SegmentConditions = Record<string, Condition>

/**
 * Membership of all segments that a condition leads to now, for work that goes on after the answer. Fails as `findMemberships` does, and
 * with VALIDATION_ERROR when one of them was deleted: what is left of the condition may match everybody.
 */
export async function findExisting(ctx: Pick<Ctx, 'world' | 'projectId'>, condition: Condition): Promise<ReadonlyMap<string, Membership>> {
  const found = await findMemberships([condition], membershipIn(ctx))
  if (found.values().some(({ kind }) => kind === 'nobody')) throw new SegmentDeleted(deleted)
  return found
}

/** The conditions of those segments that have one. */
export function conditionsIn(found: ReadonlyMap<string, Membership>): SegmentConditions {
  return Object.fromEntries([...found].flatMap(([id, membership]) => (membership.kind === 'condition' ? [[id, membership.condition]] : [])))
}

/** How membership of segments was found out at one moment; nobody is a member of the others. */
export function membershipAmong(found: ReadonlyMap<string, Membership>): FindMembership {
  return async (segmentId) => found.get(segmentId) ?? { kind: 'nobody' }
}

/** How membership of all segments that a condition leads to was found out at one moment. */
export interface LookedUp {
  membership: FindMembership
  found: ReadonlyMap<string, Membership>
  /** Whether one of them was deleted before. */
  dangling: boolean
  /**
   * Holds them in a transaction that acts on what was found; returns whether they are still what they were. Otherwise what they asked for
   * may have been removed, because they asked no more. Before contacts are locked, as whoever adds members does.
   */
  hold(tx: Transaction): Promise<boolean>
}

/** Looks up membership of all segments that a condition leads to, as `membershipIn` does. Fails as `findMemberships` does. */
export async function lookUpOnce(ctx: Pick<Ctx, 'world' | 'projectId'>, condition: Condition): Promise<LookedUp> {
  const found = await findMemberships([condition], membershipIn(ctx))
  return {
    membership: membershipAmong(found),
    found,
    dangling: found.values().some(({ kind }) => kind === 'nobody'),
    async hold(tx) {
      const held = found.size > 0 ? await tx.run(holdExisting, [ctx.projectId, [...found.keys()]]) : []
      const now = new Map(held.map((row) => [row.id, membershipOf(ctx.world, { projectId: ctx.projectId, ...row })]))
      return areSame(found, now)
    },
  }
}

/** Whether segments are the same and have the same conditions. */
export function areSame(some: ReadonlyMap<string, Membership>, others: ReadonlyMap<string, Membership>): boolean {
  return some.size === others.size && some.entries().every(([id, one]) => isDeepStrictEqual(conditionOf(one), conditionOf(others.get(id))))
}

const conditionOf = (one: Membership | undefined): unknown => (one?.kind === 'condition' ? one.condition : one?.kind)

const deleted = 'A segment that says which contacts are meant was deleted.'

/** A segment was deleted that says which contacts are meant. */
export class SegmentDeleted extends Failure {
  constructor(message: string) {
    super('VALIDATION_ERROR', message, { suggestion: 'Choose another segment or condition.' })
  }
}

/** The failure of work on contacts when a segment that says which ones was deleted. */
export const segmentDeleted = (): Failure => new SegmentDeleted(`${deleted} What was done before stays.`)

/** Membership as `membershipIn` finds it out, but by the conditions that segments had; nobody is a member of one that was deleted since. */
export function membershipSince(ctx: Pick<Ctx, 'world' | 'projectId'>, frozen: SegmentConditions): FindMembership {
  const conditions = new Map(Object.entries(frozen))
  const find = membershipIn(ctx)
  return async (segmentId) => {
    const membership = await find(segmentId)
    const condition = conditions.get(segmentId)
    return membership.kind === 'condition' && condition ? { ...membership, condition } : membership
  }
}

const maxAtOnce = 500
const maxCachedBytes = 20_000_000
// An object of JSON takes several times its text, and what is prepared of its lists comes to it.
const bytesPerCharacter = 12

// By its text: a condition that has not changed is read and prepared once.
const readConditions = perWorld(() =>
  recent<string, Condition>({ max: 2_000, weight: { max: maxCachedBytes, weigh: (_, text) => bytesPerCharacter * text.length } }),
)

const lookup = readerOfProjects(async ({ world, projectId }, ids: string[]): Promise<Membership[]> => {
  const rows = await world.db.run(findSegments, [projectId, [...new Set(ids)]])
  const found = new Map(rows.map((row) => [row.id, membershipOf(world, { projectId, ...row })]))
  return ids.map((id) => found.get(id) ?? { kind: 'nobody' })
}, maxAtOnce)

/** A segment as it is stored. */
interface StoredSegment {
  projectId: string
  id: string
  condition: string | null
  since: Date
}

function membershipOf(world: World, { projectId, id, condition, since }: StoredSegment): Membership {
  if (condition !== null) {
    const read = readConditions(world).getOrMake(condition, () => JSON.parse(condition) as Condition)
    return { kind: 'condition', condition: read, since }
  }
  return {
    kind: 'members',
    sql: (scope, is) => hasRow(scope, membersOf(id, scope), is),
    has: (contactId) => hasMember({ world, projectId }, { segmentId: id, contactId }),
  }
}

const membersOf = (id: string, { bind }: RowScope): Rows => ({
  table: 'segment_members',
  where: (m) => [`${m}.segment_id = ${bind(id)}`],
})

const hasMember = readerOfProjects(async ({ world, projectId }, asked: { segmentId: string; contactId: string }[]): Promise<boolean[]> => {
  const values = [projectId, asked.map((one) => one.segmentId), asked.map((one) => one.contactId)]
  const found = new Set((await world.db.run(findMembers, values)).map(({ segmentId, contactId }) => `${segmentId} ${contactId}`))
  return asked.map(({ segmentId, contactId }) => found.has(`${segmentId} ${contactId}`))
}, maxAtOnce)
