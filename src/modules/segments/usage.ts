import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import { listUsesOfField, type Uses } from '../filters/usage.ts'
import { findUsersOf } from './sql.ts'

/** What refers to a segment, newest first, and whether it can be deleted. */
export type SegmentUsage = Uses & { canDelete: boolean }

/**
 * What refers to a segment, and whether it can be deleted now: no campaign for it is scheduled or being sent, and no enabled workflow
 * asks for it. All calls of one turn of the event loop are two statements.
 */
export async function findSegmentUses(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<SegmentUsage> {
  const [uses, users] = await Promise.all([
    listUsesOfField({ world, projectId }, `segment.${id}`),
    usersOf(world)({ projectId, segmentId: id }),
  ])
  const asked = new Set(uses.usedInCampaigns.map((campaign) => campaign.id))
  const meant = users.filter((user) => user.kind === 'campaign' && !asked.has(user.id))
  const usedInCampaigns = [...uses.usedInCampaigns, ...meant].sort((one, other) => (one.id < other.id ? 1 : -1))
  return { ...uses, usedInCampaigns, canDelete: !users.some(({ blocks }) => blocks) }
}

const maxAtOnce = 500

const usersOf = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; segmentId: string }[]) => {
    const rows = await db.run(findUsersOf, [asked.map(({ projectId }) => projectId), asked.map(({ segmentId }) => segmentId)])
    const found = Map.groupBy(rows, ({ projectId, segmentId }) => `${projectId} ${segmentId}`)
    return asked.map(({ projectId, segmentId }) => found.get(`${projectId} ${segmentId}`) ?? [])
  }, maxAtOnce),
)
