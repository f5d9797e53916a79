import type { Ctx } from '../../kit/context.ts'
import { countMatches } from '../filters/filters.ts'
import { membershipIn } from '../filters/membership.ts'
import { conditionOf } from './kinds.ts'
import { getSegment } from './segments.ts'
import type { Refreshed } from './shapes.ts'
import { storeCount } from './sql.ts'

/**
 * Counts the members of a segment again; logs nothing and changes no membership. The count of a static segment is always right.
 * Fails with RESOURCE_NOT_FOUND, and with SERVICE_UNAVAILABLE when counting takes longer than 15 s.
 */
export async function refreshSegment(ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>, { id }: { id: string }): Promise<Refreshed> {
  const segment = await getSegment(ctx, { id })
  const condition = conditionOf(segment)
  if (!condition) return { memberCount: segment.memberCount }
  const memberCount = await countMatches(ctx, { condition, membership: membershipIn(ctx) })
  await ctx.db.run(storeCount, [ctx.projectId, id, memberCount, JSON.stringify(condition), ctx.clock.now()])
  return { memberCount }
}
