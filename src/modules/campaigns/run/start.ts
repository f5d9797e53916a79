import { callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { requireSendingDomain } from '../../domains/domains.ts'
import { membershipIn, type SegmentConditions } from '../../filters/membership.ts'
import type { CampaignStep, DueCampaign } from './sql.ts'
import type { Step } from './step.ts'

/** What changes of a campaign when it starts now; the conditions of its segments are read with its content where they are null. */
export function startingNow(now: Date, segments: SegmentConditions | null): CampaignStep {
  return {
    status: 'SENDING',
    statusReason: null,
    stage: 'CLEAR',
    wakeAt: now,
    paused: false,
    held: false,
    contentId: null,
    segments,
    doneUpTo: '',
    lastContact: '',
    queuedUpTo: '',
    totalRecipients: 0,
    paceTokens: 1,
    paceAt: now,
    paceWaiting: 0,
    startedAt: now,
    sentAt: null,
    chargedAt: null,
    tries: 0,
  }
}

/** Starts a campaign whose time has come; it becomes a draft again, with the reason, when it cannot be sent any more. */
export const startScheduled: Step = async (world, campaign) => {
  const reason = await whyUnsendable(world, campaign)
  return async () =>
    reason === null ? startingNow(world.clock.now(), null) : { status: 'DRAFT', statusReason: reason, scheduledFor: null, wakeAt: null }
}

/** Why a campaign cannot be sent as it is, in a sentence; null when it can. */
export async function whyUnsendable(
  world: World,
  { projectId, from, audienceType, segmentId }: Pick<DueCampaign, 'projectId' | 'from' | 'audienceType' | 'segmentId'>,
): Promise<string | null> {
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  if (audienceType === 'SEGMENT' && (await membershipIn(ctx)(segmentId ?? '')).kind === 'nobody') return 'Its segment was deleted.'
  try {
    await requireSendingDomain(ctx, from)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
