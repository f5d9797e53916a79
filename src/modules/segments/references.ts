import type { Ctx } from '../../kit/context.ts'
import { leavesOf, segmentsOf } from '../filters/language.ts'
import { lookUpOnce, membershipIn } from '../filters/membership.ts'
import { danglingIn } from '../filters/references.ts'
import { removalIn, wideningOf } from '../filters/removals/removals.ts'
import type { Condition } from '../filters/shapes.ts'
import { conditionOf } from './kinds.ts'
import type { Segment } from './shapes.ts'

/** What is wrong with a condition that was right when it was stored. */
export interface SegmentIssue {
  /** Where it is in the condition. */
  path: string
  message: string
}

/**
 * What is wrong with the condition of a segment: its references to segments that were deleted, which match nobody; and what matches more
 * contacts because a field or an event was deleted since it was chosen.
 */
export async function listIssues(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  segment: Pick<Segment, 'id' | 'type' | 'condition'>,
): Promise<SegmentIssue[]> {
  const condition = conditionOf(segment)
  if (!condition) return []
  const find = membershipIn(ctx)
  const found = await Promise.all(segmentsOf(condition).map(async (id) => [id, (await find(id)).kind] as const))
  const existing = new Set(found.flatMap(([id, kind]) => (kind === 'nobody' ? [] : id)))
  const dangling = danglingIn(condition, existing).map((path) => ({
    path: path.join('.'),
    message: 'refers to a segment that was deleted: it has no members',
  }))
  return [...dangling, ...(await listRemoved(ctx, { id: segment.id, condition }))]
}

async function listRemoved(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  { id, condition }: { id: string; condition: Condition },
): Promise<SegmentIssue[]> {
  const { found } = await lookUpOnce(ctx, condition)
  // Most ask for nothing of that kind.
  if (wideningOf(condition, new Date(0), found).length === 0) return []
  const own = await membershipIn(ctx)(id)
  if (own.kind !== 'condition') return []
  const leaves = [...leavesOf(condition)]
  const removed = await Promise.all(leaves.map(({ filter }) => removalIn(ctx, wideningOf(filter, own.since, found))))
  return leaves.flatMap(({ path }, at) => (removed[at] ? { path: path.join('.'), message: asksRemoved } : []))
}

const asksRemoved =
  'asks for a field or an event that was deleted after this condition was chosen, or that of a segment which it leads to: nobody enters or leaves the segment by itself until another one is chosen there, or another and then the same again'
