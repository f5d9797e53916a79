import type { Ctx } from '../../../kit/context.ts'
import { findCounts, getCampaign } from '../campaigns.ts'
import type { CampaignStatus } from '../shapes.ts'
import { type CountsRow, selectCounts } from '../sql.ts'
import type { CampaignProgress, CampaignStats } from './shapes.ts'

/** What became of a campaign so far, at most 2 s behind the log. Fails with RESOURCE_NOT_FOUND. */
export async function getCampaignStats(ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>, { id }: { id: string }): Promise<CampaignStats> {
  const [{ totalRecipients }, [counts]] = await Promise.all([getCampaign(ctx, { id }), ctx.db.run(selectCounts, [ctx.projectId, [id]])])
  return statsOf(totalRecipients, counts)
}

/** What became of a campaign so far; concurrent calls are counted in one statement. */
export async function findStats(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId' | 'requestId'>,
  campaign: Finishing & { id: string; totalRecipients: number },
): Promise<CampaignProgress> {
  const stats = statsOf(campaign.totalRecipients, await findCounts(ctx, campaign))
  return { ...stats, ...restOf(campaign, stats, ctx.world.clock.now()) }
}

interface Finishing {
  status: CampaignStatus
  finishedAt: Date | null
}

const maxBehindMs = 10_000

// What is not counted of a campaign that has just been sent has left a moment ago.
function restOf({ status, finishedAt }: Finishing, stats: CampaignStats, now: Date): { waitingCount: number; cancelledCount: number } {
  const { totalRecipients, sentCount, failedCount, suppressedCount } = stats
  const rest = Math.max(0, totalRecipients - sentCount - failedCount - suppressedCount)
  const isCounted = status === 'CANCELLED' || (status === 'SENT' && now.getTime() - (finishedAt?.getTime() ?? 0) >= maxBehindMs)
  return { waitingCount: status === 'SENDING' ? rest : 0, cancelledCount: isCounted ? rest : 0 }
}

/** The counts of a campaign with their rates: percent of what was sent, with two decimals; 0 while nothing was. */
export function statsOf(totalRecipients: number, counts: { [Name in keyof CountsRow]?: number | null } | undefined): CampaignStats {
  const count = (name: keyof CountsRow): number => counts?.[name] ?? 0
  const rate = (name: keyof CountsRow): number => (count('sent') === 0 ? 0 : Math.round((count(name) / count('sent')) * 10_000) / 100)
  return {
    totalRecipients,
    sentCount: count('sent'),
    deliveredCount: count('delivered'),
    openedCount: count('opened'),
    clickedCount: count('clicked'),
    bouncedCount: count('bounced'),
    complainedCount: count('complained'),
    unsubscribedCount: count('unsubscribed'),
    failedCount: count('failed'),
    suppressedCount: count('suppressed'),
    machineOpens: count('machineOpened'),
    machineClicks: count('machineClicked'),
    deliveryRate: rate('delivered'),
    openRate: rate('opened'),
    clickRate: rate('clicked'),
    bounceRate: rate('bounced'),
    complaintRate: rate('complained'),
    unsubscribeRate: rate('unsubscribed'),
  }
}
