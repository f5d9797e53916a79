import { batch, readsBeside } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import type { Reading } from '../../kit/load.ts'
import { perWorld } from '../../kit/world.ts'
import type { TemplateUsage } from './shapes.ts'
import { type CampaignOfTemplate, countSentOfTemplates, selectCampaignsOfTemplates, selectStepsWith } from './sql.ts'
import { getStoredTemplate } from './templates.ts'

type Call = Pick<Ctx, 'world' | 'projectId'>

/** What uses a template, and how many emails were sent with it. Fails with TEMPLATE_NOT_FOUND. */
export async function getTemplateUsage(ctx: Call & Pick<Ctx, 'db'>, { id }: { id: string }): Promise<TemplateUsage> {
  await getStoredTemplate(ctx, { id })
  const [campaigns, workflowSteps, emailsSent] = await Promise.all([
    listCampaignsOf(ctx, { id }),
    ctx.db.run(selectStepsWith, [ctx.projectId, id]),
    countSentOf(ctx, { id }),
  ])
  return { campaigns, workflowSteps, emailsSent }
}

/** The campaigns whose content was copied from a template, newest first, at most 500; concurrent calls are one statement. */
export async function listCampaignsOf({ world, projectId }: Call, { id }: { id: string }): Promise<{ id: string; name: string }[]> {
  return listInBatch(world)({ projectId, id })
}

/** How many emails were sent with a template, those of its campaigns at most 2 s behind; concurrent calls are counted in one statement. */
export async function countSentOf(ctx: Reading, { id }: { id: string }): Promise<number> {
  return countInBatch(ctx, id)
}

const countInBatch = countsOf(countSentOfTemplates)

const maxAtOnce = 100

const listInBatch = perWorld(({ db }) =>
  batch(
    async (asked: { projectId: string; id: string }[]) => {
      const rows = await db.run(selectCampaignsOfTemplates, [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id)])
      const found = Map.groupBy(rows, ({ ord }) => ord)
      return asked.map((_one, at) => (found.get(at + 1) ?? []).map(({ id, name }: CampaignOfTemplate) => ({ id, name })))
    },
    maxAtOnce,
    readsBeside,
  ),
)
