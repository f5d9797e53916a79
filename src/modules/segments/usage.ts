import type { Ctx } from '../../kit/context.ts'
import { readerOfProjects } from '../../kit/load.ts'
import { listUsesOfField, type Uses } from '../filters/usage.ts'
import { findCampaignsOf, selectAskingSegments, selectNeeded } from './sql.ts'

/** What refers to a segment, newest first, and whether it can be deleted. */
export type SegmentUsage = Uses & { canDelete: boolean }

/**
 * What refers to a segment, and whether it can be deleted now: no campaign for it is scheduled or being sent, and no enabled workflow
 * and no execution that has not ended asks for it, also through other segments. All calls of one turn of the event loop and project are
 * four statements.
 */
export async function findSegmentUses(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<SegmentUsage> {
  const [uses, { campaigns, canDelete }] = await Promise.all([
    listUsesOfField({ world, projectId }, `segment.${id}`),
    usersOf({ world, projectId }, id),
  ])
  const asked = new Set(uses.usedInCampaigns.map((campaign) => campaign.id))
  const meant = campaigns.filter((campaign) => !asked.has(campaign.id))
  const usedInCampaigns = [...uses.usedInCampaigns, ...meant].sort((one, other) => (one.id < other.id ? 1 : -1))
  return { ...uses, usedInCampaigns, canDelete }
}

const maxAtOnce = 500

const usersOf = readerOfProjects(async ({ world: { db }, projectId }, ids: string[]) => {
  const [users, asking] = await Promise.all([
    db.run(findCampaignsOf, [ids.map(() => projectId), ids]),
    db.run(selectAskingSegments, [projectId]),
  ])
  const askers = Map.groupBy(
    asking.flatMap(({ id, segmentIds }) => [...new Set(segmentIds)].map((asked) => ({ id, asked }))),
    ({ asked }) => asked,
  )
  const leading = ids.map((id) => leadingTo(id, askers))
  const needed = await db.run(selectNeeded, [projectId, [...new Set(leading.flatMap((some) => [...some]))]])
  const found = Map.groupBy(users, ({ segmentId }) => segmentId)
  return ids.map((id, nth) => ({ campaigns: found.get(id) ?? [], canDelete: !needed.some((one) => leading[nth]?.has(one.id)) }))
}, maxAtOnce)

function leadingTo(id: string, askers: Map<string, { id: string }[]>): Set<string> {
  const leading = new Set([id])
  // A set is walked through with what is added meanwhile.
  for (const one of leading) for (const asker of askers.get(one) ?? []) leading.add(asker.id)
  return leading
}
