import { partOfAddress } from '../../../kit/address.ts'
import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { idRange } from '../../../kit/ids.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { type MatchingAmong, type MatchingBatch, nextMatchingIds, prepareMatching } from '../../filters/filters.ts'
import { segmentsOf } from '../../filters/language.ts'
import {
  conditionsIn,
  findExisting,
  membershipIn,
  membershipSince,
  type SegmentConditions,
  segmentDeleted,
} from '../../filters/membership.ts'
import { requireReferences } from '../../filters/references.ts'
import { askedBySegments, chosenAt, isRemoved, requireUnremoved, SegmentHeld } from '../../filters/removals/removals.ts'
import { holdEach } from '../../filters/segments/needed.ts'
import type { Condition, FieldFilter } from '../../filters/shapes.ts'
import type { ContactFilter } from '../shapes.ts'
import { selectNewest } from '../sql.ts'
import type { ContactSearchSql } from './sql.ts'

/** Which contacts are meant: all conditions apply. */
export type Audience = ContactFilter

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/** Requires that the segments of an audience exist. Fails with SEGMENT_NOT_FOUND, and with VALIDATION_ERROR for those in its condition. */
export async function requireSegments(ctx: Call, { segmentId, condition }: Audience): Promise<void> {
  if (segmentId !== undefined && (await membershipIn(ctx)(segmentId)).kind === 'nobody') throw notFound('SEGMENT_NOT_FOUND')
  if (condition) await requireReferences(ctx.db, ctx.projectId, { condition, field: 'filter.condition' })
}

type Columns = Exclude<keyof Audience, 'segmentId' | 'condition'>

/** An audience that only asks columns, as the list of contacts does. */
export function searchOf({ search, subscribed, createdFrom, createdTo }: Audience): ContactSearchSql & Record<Columns, unknown> {
  const words = search && partOfAddress(search.trim())
  return {
    search: words ? escapeLike(words) : undefined,
    subscribed,
    createdFrom,
    createdTo,
    ...idRange('contact', createdFrom, createdTo),
  }
}

type Given<Part extends keyof Audience> = NonNullable<Audience[Part]>

// A part that is missing here does not compile: without it a bulk operation would be about more contacts than were named.
const filterOf: { [Part in Exclude<keyof Audience, 'condition'>]-?: (given: Given<Part>) => FieldFilter | null } = {
  segmentId: (id) => ({ field: `segment.${id}`, operator: 'memberOfSegment' }),
  search: (text) => (text.trim() ? { field: 'email', operator: 'contains', value: text.trim() } : null),
  subscribed: (value) => ({ field: 'subscribed', operator: 'equals', value }),
  createdFrom: (at) => ({ field: 'createdAt', operator: 'greaterThanOrEqual', value: at.toISOString() }),
  createdTo: (at) => ({ field: 'createdAt', operator: 'lessThan', value: at.toISOString() }),
}

/** An audience as one condition; null where it only asks columns, which an index finds faster. */
export function conditionOf(audience: Audience): Condition | null {
  const { segmentId, condition } = audience
  return segmentId === undefined && condition === undefined ? null : wholeConditionOf(audience)
}

function wholeConditionOf(audience: Audience): Condition | null {
  const { condition } = audience
  const filters = (Object.keys(filterOf) as (keyof typeof filterOf)[]).flatMap((part) => {
    // Each takes what its part has, which the type of a loop does not say.
    const make = filterOf[part] as (given: unknown) => FieldFilter | null
    const filter = audience[part] === undefined ? null : make(audience[part])
    return filter ?? []
  })
  if (filters.length === 0 && condition === undefined) return null
  return { logic: 'AND', groups: [{ filters, conditions: condition }] }
}

/**
 * Prepares to ask which of some contacts an audience still means; null where it means all. Ask only where `holdMeant` has found that its
 * segments exist: what is left of a condition may match everybody.
 */
export async function prepareAmong(ctx: Call, audience: Audience, segments: SegmentConditions): Promise<MatchingAmong | null> {
  const condition = wholeConditionOf(audience)
  return condition && prepareMatching(ctx, { condition, membership: membershipSince(ctx, segments) })
}

/** The conditions of the segments that an audience leads to now, and from when on it counts what is removed of what all of it asks. */
export type FrozenSegments = Pick<FrozenCondition, 'segments' | 'since'>

/**
 * The conditions that the segments of an audience have now, for work that begins now and goes on after the answer: it is about those whom they
 * meant then, whatever is changed of them meanwhile. Fails as findExisting does, and with VALIDATION_ERROR where one matches
 * more because something was removed since its condition was chosen: it would mean others than it was made for.
 */
export async function freezeAudience(ctx: Call, audience: Audience): Promise<FrozenSegments> {
  const condition = conditionOf(audience)
  const now = ctx.clock.now()
  if (!condition) return { segments: {}, since: now }
  const found = await findExisting(ctx, condition)
  const segments = conditionsIn(found)
  const since = await chosenAt(ctx.db, ctx.projectId, { conditions: [condition, ...Object.values(segments)], now })
  // Last: what was removed before that moment must not have been asked by the segments.
  if (await isRemoved(ctx.db, ctx.projectId, askedBySegments([condition], found))) throw new SegmentHeld()
  return { segments, since }
}

/** A condition, and the conditions that the segments had to which it leads when the work began that is about it, and when that was. */
export interface FrozenCondition {
  condition: Condition
  segments: SegmentConditions
  since: Date
}

/**
 * Holds the segments of a condition in the transaction that does something to contacts because of it: until it ends their members are not
 * removed. Returns whether all of them exist. Before contacts are locked.
 */
export async function holdMeant(tx: Transaction, projectId: string, { condition, segments }: FrozenCondition): Promise<boolean> {
  return holdEach(tx, projectId, [...new Set([condition, ...Object.values(segments)].flatMap(segmentsOf))])
}

/** Requires that nothing was removed that a condition asks, also through segments, since the work began; see requireUnremoved. */
export async function requireMeant(on: Executor, projectId: string, { condition, segments, since }: FrozenCondition): Promise<void> {
  await requireUnremoved(on, projectId, { conditions: [condition, ...Object.values(segments)], since })
}

/**
 * The next contacts that match a condition, after an id and up to another where that is given; see nextMatchingIds, as which it fails, also
 * when a segment was deleted that the condition only leads to, and with FieldRemoved when a field or an event was that it asks: what is left
 * of the condition may match everybody.
 */
export async function nextOfAudience(
  ctx: Call,
  frozen: FrozenCondition,
  walk: { after: string; upTo?: string; limit: number },
): Promise<MatchingBatch | null> {
  const { condition, segments } = frozen
  const next = await nextMatchingIds(ctx, { condition, membership: membershipSince(ctx, segments), ...walk })
  if (next?.dangling) throw segmentDeleted()
  await requireMeant(ctx.db, ctx.projectId, frozen)
  return next
}

/** The newest contact of a project; '' when there is none. What begins with it reaches no contact that is created later. */
export async function newestContact({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<string> {
  return (await db.run(selectNewest, [projectId]))[0]?.id ?? ''
}

/** What comes right behind an id, to include it in a window: the id followed by a digit. */
export function behind(id: string): string {
  return `${id}0`
}
