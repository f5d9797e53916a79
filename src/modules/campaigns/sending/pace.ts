import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { type CampaignKey, putRecipientsAside } from '../../emails/ledger/ledger.ts'
import { freshMs } from '../../emails/queue/claim.ts'
import { requeue } from '../run/deliver.ts'
import { applyStep, type CampaignStep } from '../run/sql.ts'
import type { LockedCampaign } from '../sql.ts'

interface PaceChange {
  id: string
  /** As it was before the change. */
  locked: LockedCampaign
  maxPerHour?: number | null | undefined
}

/**
 * Lets a campaign that is SENDING, which is locked, leave at another rate: what waits in the queue goes back to the ledger. Under a
 * lower rate it is held first, as by a pause, since workers have claimed hundreds of its emails: the next step takes back what they
 * give back. Undefined when the rate stays.
 */
export async function setPace(
  tx: Transaction,
  ctx: Ctx,
  { id, locked, maxPerHour }: PaceChange,
): Promise<'LOWERED' | 'RAISED' | undefined> {
  if (maxPerHour === undefined || maxPerHour === locked.maxPerHour) return undefined
  const isLower = rateOf(maxPerHour) < rateOf(locked.maxPerHour)
  const key = { projectId: ctx.projectId, campaignId: id }
  const step = isLower ? await hold(tx, ctx, key) : await requeue(tx, key)
  const now = ctx.clock.now()
  // Until workers have read that it is held they hand over what they have claimed.
  const wakeAt = isLower ? new Date(now.getTime() + 2 * freshMs) : now
  const woken = { ...step, ...(!locked.paused && { wakeAt }) }
  await tx.run(applyStep, [ctx.projectId, id, now, JSON.stringify(woken)])
  return isLower ? 'LOWERED' : 'RAISED'
}

function rateOf(maxPerHour: number | null): number {
  return maxPerHour ?? Number.POSITIVE_INFINITY
}

async function hold(tx: Transaction, ctx: Ctx, key: CampaignKey): Promise<CampaignStep> {
  await putRecipientsAside(tx, ctx, key)
  return { held: true }
}
