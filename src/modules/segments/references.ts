import type { Ctx } from '../../kit/context.ts'
import { segmentsOf } from '../filters/language.ts'
import { membershipIn } from '../filters/membership.ts'
import { danglingIn } from '../filters/references.ts'
import { conditionOf } from './kinds.ts'
import type { Segment } from './shapes.ts'

/** What is wrong with a condition that was right when it was stored. */
export interface SegmentIssue {
  /** Where it is in the condition. */
  path: string
  message: string
}

/** What is wrong with the condition of a segment: its references to segments that were deleted, which match nobody. */
export async function listIssues(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  segment: Pick<Segment, 'type' | 'condition'>,
): Promise<SegmentIssue[]> {
  const condition = conditionOf(segment)
  if (!condition) return []
  const find = membershipIn(ctx)
  const found = await Promise.all(segmentsOf(condition).map(async (id) => [id, (await find(id)).kind] as const))
  const existing = new Set(found.flatMap(([id, kind]) => (kind === 'nobody' ? [] : id)))
  return danglingIn(condition, existing).map((path) => ({
    path: path.join('.'),
    message: 'refers to a segment that was deleted: it has no members',
  }))
}
