import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid, notFound } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { chargeOf, requireRoomOfMonth } from '../../billing/charge.ts'
import { holdSendingDomain, requireSendingDomain } from '../../domains/domains.ts'
import { membershipIn, SegmentDeleted } from '../../filters/membership.ts'
import { FieldRemoved, requireNoneRemoved } from '../../filters/removals/removals.ts'
import { lockReferences } from '../../filters/segments/needed.ts'
import { type AskedSegments, previewTarget, segmentsOfTarget } from '../audience/audience.ts'
import { fieldGone, holdAudience, segmentGone, targetOf } from '../audience/target.ts'
import { getCampaign } from '../campaigns.ts'
import { logCampaign } from '../run/finish.ts'
import { applyStep, type CampaignStep } from '../run/sql.ts'
import { startingNow } from '../run/start.ts'
import { wakeRunner } from '../run/wake.ts'
import type { EditedCampaign } from '../shapes.ts'
import { countActive, lockCampaign, lockProjectCampaigns, selectNeeded } from '../sql.ts'
import type { CampaignSending } from './shapes.ts'

/**
 * Sends a campaign now, or at a time in the future: a draft, or one that is scheduled for another time. Its audience and content are
 * those of the moment it starts. Fails with RESOURCE_NOT_FOUND, CONFLICT in another state, DOMAIN_NOT_VERIFIED, VALIDATION_ERROR for a
 * time that is not in the future and when a segment it is for was deleted, or a field or an event that its audience has asked since it was chosen, LIMIT_REACHED while 100 campaigns of the project are scheduled or
 * being sent, and BILLING_LIMIT_EXCEEDED when not all would fit under the caps:
 * then nobody is sent it.
 */
export async function sendCampaign(ctx: Ctx, { id, scheduledFor }: CampaignSending): Promise<EditedCampaign> {
  const { world, db, clock, projectId } = ctx
  const campaign = await getCampaign(ctx, { id })
  requireUnsent(campaign)
  if (scheduledFor && scheduledFor <= clock.now()) throw invalid('scheduledFor', 'must be in the future', 'too_small')
  await requireSendingDomain(ctx, campaign.from)
  if (campaign.audienceType === 'SEGMENT' && (await membershipIn(ctx)(campaign.segmentId ?? '')).kind === 'nobody')
    throw segmentGone(campaign)
  const { recipients } = await previewTarget(ctx, targetOf(campaign))
  const { segments, asked } = await stillMeant(campaign, () => segmentsNow(ctx, campaign))
  await requireRoomOfMonth(world, chargeOf(ctx, { category: 'campaigns', count: recipients, at: scheduledFor ?? clock.now() }))
  await db.transaction(async (tx) => {
    await lockReferences(tx, projectId)
    await tx.run(lockProjectCampaigns, [projectId])
    const locked = await lockCampaign(tx, { projectId, id })
    if (!locked) throw notFound()
    requireUnsent(locked)
    // It may have been changed since it was read above.
    const [needed] = await tx.run(selectNeeded, [projectId, id])
    if (!needed) throw notFound()
    await holdSendingDomain(tx, projectId, needed.from)
    await holdAudience(tx, projectId, needed)
    // What is deleted from here on is looked for where it starts.
    await stillMeant(campaign, () => requireNoneRemoved(tx, projectId, asked))
    if (locked.status === 'DRAFT') await requireRoomForCampaign(tx, projectId)
    const now = clock.now()
    const step: CampaignStep = scheduledFor
      ? // What is left of an earlier ledger is removed first.
        { status: 'SCHEDULED', statusReason: null, scheduledFor, wakeAt: locked.stage === null ? scheduledFor : now }
      : { ...startingNow(now, isUnchanged(locked, campaign) ? segments : null), scheduledFor: null }
    await tx.run(applyStep, [projectId, id, now, JSON.stringify(step)])
    if (scheduledFor)
      await logCampaign(tx, world, { projectId, id, name: campaign.name }, { name: 'campaign.scheduled', data: { scheduledFor } })
    tx.afterCommit(() => wakeRunner(ctx))
  })
  return getCampaign(ctx, { id })
}

async function segmentsNow(ctx: Ctx, campaign: EditedCampaign): Promise<AskedSegments> {
  const [needed] = await ctx.db.run(selectNeeded, [ctx.projectId, campaign.id])
  if (!needed) throw notFound()
  return segmentsOfTarget(ctx, { ...targetOf(campaign), since: needed.since })
}

async function stillMeant<Found>(campaign: EditedCampaign, ask: () => Promise<Found>): Promise<Found> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof FieldRemoved) throw fieldGone(campaign)
    if (error instanceof SegmentDeleted) throw segmentGone(campaign)
    throw error
  }
}

const isUnchanged = (one: { updatedAt: Date }, other: { updatedAt: Date }): boolean => one.updatedAt.getTime() === other.updatedAt.getTime()

const maxActive = 100

async function requireRoomForCampaign(tx: Transaction, projectId: string): Promise<void> {
  const [active] = await tx.run(countActive, [projectId])
  if (active && active.count >= maxActive)
    throw new Failure('LIMIT_REACHED', `${maxActive} campaigns of this project are scheduled or being sent, which is the maximum.`, {
      suggestion: 'Cancel some of them, or wait until they are sent.',
    })
}

function requireUnsent({ status }: Pick<EditedCampaign, 'status'>): void {
  if (status !== 'DRAFT' && status !== 'SCHEDULED')
    throw new Failure('CONFLICT', `A campaign that is ${status} cannot be sent.`, { suggestion: 'Duplicate it, and send the copy.' })
}
