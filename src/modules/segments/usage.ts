import type { Ctx } from '../../kit/context.ts'
import { readerOfProjects } from '../../kit/load.ts'
import { listUsesOfField, type Uses } from '../filters/usage.ts'
import { findUsersOf } from './sql.ts'

/** What refers to a segment, newest first, and whether it can be deleted. */
export type SegmentUsage = Uses & { canDelete: boolean }

/**
 * What refers to a segment, and whether it can be deleted now: no campaign for it is scheduled or being sent, and no enabled workflow
 * asks for it. All calls of one turn of the event loop and project are two statements.
 */
export async function findSegmentUses(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<SegmentUsage> {
  const [uses, users] = await Promise.all([listUsesOfField({ world, projectId }, `segment.${id}`), usersOf({ world, projectId }, id)])
  const asked = new Set(uses.usedInCampaigns.map((campaign) => campaign.id))
  const meant = users.filter((user) => user.kind === 'campaign' && !asked.has(user.id))
  const usedInCampaigns = [...uses.usedInCampaigns, ...meant].sort((one, other) => (one.id < other.id ? 1 : -1))
  return { ...uses, usedInCampaigns, canDelete: !users.some(({ blocks }) => blocks) }
}

const maxAtOnce = 500

const usersOf = readerOfProjects(async ({ world, projectId }, ids: string[]) => {
  const found = Map.groupBy(await world.db.run(findUsersOf, [ids.map(() => projectId), ids]), ({ segmentId }) => segmentId)
  return ids.map((id) => found.get(id) ?? [])
}, maxAtOnce)
