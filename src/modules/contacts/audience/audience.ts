import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { idRange } from '../../../kit/ids.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { type MatchingBatch, nextMatchingIds } from '../../filters/filters.ts'
import { membershipIn } from '../../filters/membership.ts'
import { requireReferences } from '../../filters/references.ts'
import type { Condition, FieldFilter } from '../../filters/shapes.ts'
import type { ContactSearchSql } from '../sql.ts'

/** Which contacts are meant: all conditions apply. */
export interface Audience {
  search?: string | undefined
  subscribed?: boolean | undefined
  segmentId?: string | undefined
  condition?: Condition | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/** Requires that the segments of an audience exist. Fails with SEGMENT_NOT_FOUND, and with VALIDATION_ERROR for those in its condition. */
export async function requireSegments(ctx: Call, { segmentId, condition }: Audience): Promise<void> {
  if (segmentId !== undefined && (await membershipIn(ctx)(segmentId)).kind === 'nobody') throw notFound('SEGMENT_NOT_FOUND')
  if (condition) await requireReferences(ctx.db, ctx.projectId, { condition, field: 'filter.condition' })
}

/** An audience that only asks columns, as the list of contacts does. */
export function searchOf({ search, subscribed, createdFrom, createdTo }: Audience): ContactSearchSql {
  const words = search?.trim().toLowerCase()
  return {
    search: words ? escapeLike(words) : undefined,
    subscribed,
    createdFrom,
    createdTo,
    ...idRange('contact', createdFrom, createdTo),
  }
}

/** An audience as one condition; null where it only asks columns, which an index finds faster. */
export function conditionOf({ search, subscribed, segmentId, condition, createdFrom, createdTo }: Audience): Condition | null {
  if (segmentId === undefined && condition === undefined) return null
  const words = search?.trim()
  const filters: FieldFilter[] = [
    ...(segmentId === undefined ? [] : [{ field: `segment.${segmentId}`, operator: 'memberOfSegment' } as const]),
    ...(words ? [{ field: 'email', operator: 'contains', value: words } as const] : []),
    ...(subscribed === undefined ? [] : [{ field: 'subscribed', operator: 'equals', value: subscribed } as const]),
    ...(createdFrom ? [{ field: 'createdAt', operator: 'greaterThanOrEqual', value: createdFrom.toISOString() } as const] : []),
    ...(createdTo ? [{ field: 'createdAt', operator: 'lessThan', value: createdTo.toISOString() } as const] : []),
  ]
  return { logic: 'AND', groups: [{ filters, conditions: condition }] }
}

/** The next contacts that match a condition, after an id and up to another where that is given; see nextMatchingIds. */
export async function nextOfAudience(
  ctx: Call,
  condition: Condition,
  walk: { after: string; upTo?: string; limit: number },
): Promise<MatchingBatch | null> {
  return nextMatchingIds(ctx, { condition, membership: membershipIn(ctx), ...walk })
}
