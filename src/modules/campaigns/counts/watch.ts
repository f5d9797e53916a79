import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { watcherOf } from '../../../kit/watch.ts'
import { campaignsTopic } from '../run/wake.ts'
import { type ProgressRow, selectProgress } from './sql.ts'

const watch = watcherOf<ProgressRow>({
  name: 'campaigns',
  topic: campaignsTopic,
  touches: (projects, { projectId }) => projects.includes(projectId),
  read: ({ db }, projects, ids) => db.run(selectProgress, [projects, ids]),
  stateOf: (row) => JSON.stringify(row),
  // What becomes of its emails is counted for long after it was sent.
  isFinal: () => false,
})

/**
 * Streams how far a campaign is: first as it is, then whenever its state or a count has changed, at most ten times per second. A slow
 * reader is sent the newest state only. Fails with RESOURCE_NOT_FOUND; ends when the campaign is deleted, and when the world closes.
 */
export async function watchCampaign(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { id }: { id: string },
): Promise<AsyncIterableIterator<ProgressRow, undefined>> {
  return watch(ctx, id, async () => {
    const [row] = await ctx.db.run(selectProgress, [[ctx.projectId], [id]])
    if (!row) throw notFound()
    return row
  })
}
