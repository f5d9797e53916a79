import type { Ctx } from '../../kit/context.ts'
import { readerOfProjects } from '../../kit/load.ts'
import { listUsesOfField, type User, type Uses } from '../filters/usage.ts'
import { findCampaignsOf, findWorkflowsByEvent, selectAskingSegments, selectNeeded } from './sql.ts'

/** What refers to a segment, newest first, and whether it can be deleted. */
export type SegmentUsage = Uses & { canDelete: boolean }

/**
 * What refers to a segment, and whether it can be deleted now: no campaign for it is scheduled or being sent, and no enabled workflow
 * and no execution that has not ended asks for it, also through other segments, or names one of its events. All calls
 * of one turn of the event loop and project are five statements.
 */
export async function findSegmentUses(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<SegmentUsage> {
  const [uses, { campaigns, workflows, canDelete }] = await Promise.all([
    listUsesOfField({ world, projectId }, `segment.${id}`),
    usersOf({ world, projectId }, id),
  ])
  const { usedInCampaigns, usedInWorkflows } = uses
  return { ...uses, usedInCampaigns: joined(usedInCampaigns, campaigns), usedInWorkflows: joined(usedInWorkflows, workflows), canDelete }
}

// Each once, newest first.
function joined(asking: User[], others: User[]): User[] {
  const byId = new Map([...asking, ...others].map(({ id, name }) => [id, { id, name }]))
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
}

const maxAtOnce = 500

const usersOf = readerOfProjects(async ({ world: { db }, projectId }, ids: string[]) => {
  const [campaigns, workflows, asking] = await Promise.all([
    db.run(findCampaignsOf, [ids.map(() => projectId), ids]),
    db.lists.run(findWorkflowsByEvent, [projectId, ids]),
    db.run(selectAskingSegments, [projectId]),
  ])
  const askers = Map.groupBy(
    asking.flatMap(({ id, segmentIds }) => [...new Set(segmentIds)].map((asked) => ({ id, asked }))),
    ({ asked }) => asked,
  )
  const leading = ids.map((id) => leadingTo(id, askers))
  const needed = await db.run(selectNeeded, [projectId, [...new Set(leading.flatMap((some) => [...some]))]])
  const [campaignsOf, workflowsOf] = [Map.groupBy(campaigns, ofSegment), Map.groupBy(workflows, ofSegment)]
  return ids.map((id, nth) => {
    const named = workflowsOf.get(id) ?? []
    const canDelete = !needed.some((one) => leading[nth]?.has(one.id)) && !named.some(({ enabled, underWay }) => enabled || underWay)
    return { campaigns: campaignsOf.get(id) ?? [], workflows: named, canDelete }
  })
}, maxAtOnce)

const ofSegment = ({ segmentId }: { segmentId: string }): string => segmentId

function leadingTo(id: string, askers: Map<string, { id: string }[]>): Set<string> {
  const leading = new Set([id])
  // A set is walked through with what is added meanwhile.
  for (const one of leading) for (const asker of askers.get(one) ?? []) leading.add(asker.id)
  return leading
}
