import type { Ctx } from '../../kit/context.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { findCampaign } from '../campaigns/campaigns.ts'
import { statsOf } from '../campaigns/counts/stats.ts'
import { momentsOf } from './period.ts'
import type { CampaignResult, CampaignSummary, TopCampaignsSearch, TotalsPeriod } from './shapes.ts'
import { listNewest, rankCampaigns, selectResults, summarizeAll } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/**
 * The SENT campaigns that did best, the best first, of all or of those that were sent on some days; at most 2 s behind the log. Fails with
 * BAD_REQUEST for more than 366 days.
 */
export async function listTopCampaigns(
  ctx: Call & Pick<Ctx, 'clock'>,
  { limit, metric, timezone = 'UTC', ...days }: TopCampaignsSearch & Partial<TotalsPeriod>,
): Promise<CampaignResult[]> {
  const { from = null, to = null } = momentsOf(ctx.clock.now(), { ...days, timezone }) ?? {}
  return resultsOf(ctx, await scanned(ctx.db.scans.run(rankCampaigns, [ctx.projectId, limit, metric, from, to]), tooSlow))
}

const maxListed = 100
const tooSlow = 'Comparing the campaigns of the project took longer than 15 s.'

/** What became of the campaigns of the project, and of the newest 100 of them; at most 2 s behind the log. */
export async function getCampaignSummary(ctx: Call): Promise<CampaignSummary> {
  const { db, projectId } = ctx
  const [[summary], newest] = await Promise.all([
    scanned(db.scans.run(summarizeAll, [projectId]), tooSlow),
    db.run(listNewest, [projectId, maxListed]),
  ])
  const { total = 0, active = 0, completed = 0, openRate = null, clickRate = null } = summary ?? {}
  return {
    total,
    active,
    completed,
    averageOpenRate: oneDecimal(openRate),
    averageClickRate: oneDecimal(clickRate),
    campaigns: await resultsOf(ctx, newest),
  }
}

/** The campaigns of results, in their order, without those that were deleted since; `query` says what to select of each. */
export async function campaignsOf(ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>, results: readonly { id: string }[], query: object) {
  const found = await Promise.all(results.map((result) => findCampaign(ctx, result, query)))
  return found.filter((campaign) => campaign !== null)
}

async function resultsOf({ db, projectId }: Call, ranked: { id: string }[]): Promise<CampaignResult[]> {
  if (ranked.length === 0) return []
  const rows = await db.run(selectResults, [projectId, ranked.map(({ id }) => id)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ranked.flatMap(({ id }) => {
    const row = byId.get(id)
    if (!row) return []
    const { name, subject, status, sentAt, totalRecipients, ...counts } = row
    return [{ id, name, subject, status, sentAt, ...statsOf(totalRecipients, counts) }]
  })
}

function oneDecimal(percent: number | null): number {
  return Math.round((percent ?? 0) * 10) / 10
}
