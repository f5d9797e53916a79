import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { chargeOf } from '../../billing/charge.ts'
import { returnCharge, settleCharge } from '../../billing/deferral.ts'
import { hasAnyLeft } from '../../emails/ledger/ledger.ts'
import { lockCampaign } from '../sql.ts'
import { logCampaign } from './finish.ts'
import { applyStep, type CampaignStep } from './sql.ts'
import type { Step } from './step.ts'

/**
 * Decides what becomes of a campaign that was cancelled, when nothing of it is being sent any more: a draft when nothing has left, with
 * its charge given back, otherwise CANCELLED for good. Where it cannot be known whether an email has left, it counts as having left:
 * otherwise its recipient might get two. Changes nothing when that was decided before.
 */
export async function settleCancelled(tx: Transaction, world: World, { projectId, id }: { projectId: string; id: string }): Promise<void> {
  const locked = await lockCampaign(tx, { projectId, id })
  if (!locked || !isUndecided(locked)) return
  const now = world.clock.now()
  const apply = (step: CampaignStep) => tx.run(applyStep, [projectId, id, now, JSON.stringify(step)])
  await logCampaign(tx, world, { projectId, id, name: locked.name }, { name: 'campaign.cancelled' })
  // Also beyond those that are queued: under another rate what waited has gone back to the ledger.
  const upTo = locked.stage === 'DELIVER' ? locked.lastContact : ''
  if (await hasAnyLeft(tx, { projectId, campaignId: id, upTo })) {
    await settleCharge(tx, world, { projectId, id })
    await apply({ stage: 'CANCEL', doneUpTo: '', wakeAt: now, finishedAt: now })
    return
  }
  const { chargedAt, totalRecipients } = locked
  if (chargedAt) {
    const charge = chargeOf({ config: world.config, projectId }, { category: 'campaigns', count: totalRecipients, at: chargedAt })
    await returnCharge(tx, world, { ...charge, id })
  }
  await apply({
    status: 'DRAFT',
    stage: 'CLEAR',
    segments: null,
    wakeAt: now,
    scheduledFor: null,
    sentAt: null,
    chargedAt: null,
    totalRecipients: 0,
  })
}

/** Whether a campaign was cancelled, and it is not decided yet what becomes of it. */
export function isUndecided({ status, stage }: { status: string; stage: string | null }): boolean {
  return status === 'CANCELLED' && stage !== null && stage !== 'CANCEL' && stage !== 'ERASE'
}

/** Decides for the call that cancelled a campaign and did not get to it. */
export const settle: Step = async (world, campaign) => async (tx) => {
  await settleCancelled(tx, world, campaign)
  return {}
}
