import { callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { chargeOf } from '../../billing/charge.ts'
import { recordDeferredCharge } from '../../billing/deferral.ts'
import { addRecipients, freezeContent } from '../../emails/ledger/ledger.ts'
import { nextOfTarget } from '../audience/audience.ts'
import { insertExclusions } from '../audience/sql.ts'
import { finished } from './finish.ts'
import { type CampaignStep, type DueCampaign, selectNewestContact } from './sql.ts'
import type { Step } from './step.ts'

/**
 * Writes the next contacts of the audience into the ledger, and those who are excluded with their reason; when all are there, the
 * campaign is charged as a whole, and sending begins. Contacts that are created meanwhile are not sent it.
 */
export const snapshot: Step = async (world, campaign) => {
  const { projectId, id: campaignId, contentId } = campaign
  if (contentId === null) return (tx) => freeze(tx, world, campaign)
  const batch = await nextBatch(world, campaign)
  return async (tx) => {
    const now = world.clock.now()
    if ('tookTooLong' in batch) return laterOrDraft(world, campaign)
    if ('reason' in batch) return backToDraft(now, batch.reason)
    if (!batch.next) return begin(tx, world, campaign)
    const { included, excluded, upTo } = batch.next
    const added = await addRecipients(tx, world, { projectId, campaignId, contentId, contactIds: included })
    await tx.run(insertExclusions, [projectId, campaignId, excluded.map(({ id }) => id), excluded.map(({ reason }) => reason)])
    return { doneUpTo: upTo, totalRecipients: campaign.totalRecipients + added, tries: 0, wakeAt: now }
  }
}

async function freeze(tx: Transaction, world: World, { projectId, id }: DueCampaign): Promise<CampaignStep> {
  const [newest] = await tx.run(selectNewestContact, [projectId])
  const contentId = await freezeContent(tx, world, { projectId, campaignId: id })
  return { contentId, lastContact: newest?.id ?? '', wakeAt: world.clock.now() }
}

type Batch = { next: Awaited<ReturnType<typeof nextOfTarget>> } | { reason: string } | { tookTooLong: true }

async function nextBatch(world: World, campaign: DueCampaign): Promise<Batch> {
  const ctx = callIn(world, { projectId: campaign.projectId, actor: { kind: 'system' } })
  try {
    return { next: await nextOfTarget(ctx, campaign, { after: campaign.doneUpTo, upTo: campaign.lastContact }) }
  } catch (error) {
    // A segment was deleted meanwhile: whoever is left might not be meant.
    if (error instanceof Failure && error.code === 'VALIDATION_ERROR')
      return { reason: 'A segment that says who it is sent to was deleted.' }
    if (error instanceof Failure && error.code === 'SERVICE_UNAVAILABLE') return { tookTooLong: true }
    throw error
  }
}

const maxTries = 5
const firstWaitMs = 15_000

// That may be due to what else the database does.
function laterOrDraft({ clock, log }: World, { projectId, id, tries }: DueCampaign): CampaignStep {
  const now = clock.now()
  const failed = tries + 1
  if (failed < maxTries) return { tries: failed, wakeAt: new Date(now.getTime() + firstWaitMs * 2 ** tries) }
  log.warn({ projectId, campaignId: id }, 'campaigns: the condition of an audience took too long each time: the campaign is a draft again')
  return backToDraft(now, `Finding its audience took too long ${failed} times in a row; simplify the condition.`)
}

// What was written of the ledger is removed before it can be sent again.
function backToDraft(now: Date, reason: string): CampaignStep {
  return { status: 'DRAFT', statusReason: reason, stage: 'CLEAR', paused: false, wakeAt: now, scheduledFor: null }
}

async function begin(tx: Transaction, world: World, campaign: DueCampaign): Promise<CampaignStep> {
  const now = world.clock.now()
  const { projectId, id, totalRecipients } = campaign
  if (totalRecipients === 0) return finished(tx, world, campaign)
  const charge = chargeOf({ config: world.config, projectId }, { category: 'campaigns', count: totalRecipients, at: now })
  const refusal = await recordDeferredCharge(tx, world, { ...charge, id })
  if (refusal) return backToDraft(now, refusal.message)
  return { stage: 'DELIVER', sentAt: now, chargedAt: now, wakeAt: now, paceAt: now }
}
