import { callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { chargeOf } from '../../billing/charge.ts'
import { recordDeferredCharge } from '../../billing/deferral.ts'
import { addRecipients, freezeContent } from '../../emails/ledger/ledger.ts'
import type { SegmentConditions } from '../../filters/membership.ts'
import { FieldRemoved } from '../../filters/removals/removals.ts'
import { holdTarget, nextOfTarget, requireOwn, segmentsOfTarget } from '../audience/audience.ts'
import { insertExclusions } from '../audience/sql.ts'
import { finished } from './finish.ts'
import { type CampaignStep, type DueCampaign, selectNewestContact, selectSegments } from './sql.ts'
import type { Step } from './step.ts'

/**
 * Writes the next contacts of the audience into the ledger, and those who are excluded with their reason; when all are there, the
 * campaign is charged as a whole, and sending begins. Contacts that are created meanwhile are not sent it, and what is changed of
 * segments meanwhile changes nothing.
 */
export const snapshot: Step = async (world, campaign) => {
  const { projectId, id, doneUpTo: after, lastContact: upTo } = campaign
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const stored = (await world.db.run(selectSegments, [projectId, id]))[0]?.segments ?? null
  if (campaign.contentId === null) {
    const read = await reading(async () => {
      const chosen = { ...campaign, since: campaign.audienceAt }
      if (stored === null) return (await segmentsOfTarget(ctx, chosen)).segments
      await requireOwn(ctx, chosen)
      return stored
    })
    return async (tx) => ('found' in read ? freeze(tx, world, campaign, read.found) : notRead(world, campaign, read))
  }
  const { contentId, startedAt, audienceAt } = campaign
  // What was deleted before was asked for with these conditions.
  const since = startedAt && startedAt > audienceAt ? startedAt : audienceAt
  const target = { ...campaign, segments: stored ?? {}, since }
  const read = await reading(() => nextOfTarget(ctx, target, { after, upTo }))
  return async (tx) => {
    if (!('found' in read)) return notRead(world, campaign, read)
    if (!read.found) return begin(tx, world, campaign)
    if (!(await holdTarget(tx, projectId, target))) return notRead(world, campaign, segmentGone)
    const { included, excluded, upTo: doneUpTo } = read.found
    const added = await addRecipients(tx, world, { projectId, campaignId: id, contentId, contactIds: included })
    await tx.run(insertExclusions, [projectId, id, excluded.map((one) => one.id), excluded.map(({ reason }) => reason)])
    return { doneUpTo, totalRecipients: campaign.totalRecipients + added, tries: 0, wakeAt: world.clock.now() }
  }
}

async function freeze(tx: Transaction, world: World, { projectId, id }: DueCampaign, segments: SegmentConditions): Promise<CampaignStep> {
  const [newest] = await tx.run(selectNewestContact, [projectId])
  const contentId = await freezeContent(tx, world, { projectId, campaignId: id })
  return { contentId, segments, lastContact: newest?.id ?? '', wakeAt: world.clock.now() }
}

type NotRead = { reason: string } | { tookTooLong: true }

const segmentGone: NotRead = { reason: 'A segment that says who it is sent to was deleted.' }
const fieldGone: NotRead = { reason: 'A field or an event that says who it is sent to was deleted.' }

async function reading<Found>(read: () => Promise<Found>): Promise<{ found: Found } | NotRead> {
  try {
    return { found: await read() }
  } catch (error) {
    // Meanwhile: whoever is left might not be meant.
    if (error instanceof FieldRemoved) return fieldGone
    if (error instanceof Failure && error.code === 'VALIDATION_ERROR') return segmentGone
    if (error instanceof Failure && error.code === 'SERVICE_UNAVAILABLE') return { tookTooLong: true }
    throw error
  }
}

function notRead(world: World, campaign: DueCampaign, why: NotRead): CampaignStep {
  return 'reason' in why ? backToDraft(world.clock.now(), why.reason) : laterOrDraft(world, campaign)
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
  return { status: 'DRAFT', statusReason: reason, stage: 'CLEAR', segments: null, paused: false, wakeAt: now, scheduledFor: null }
}

async function begin(tx: Transaction, world: World, campaign: DueCampaign): Promise<CampaignStep> {
  const now = world.clock.now()
  const { projectId, id, totalRecipients } = campaign
  if (totalRecipients === 0) return { ...(await finished(tx, world, campaign)), segments: null }
  const charge = chargeOf({ config: world.config, projectId }, { category: 'campaigns', count: totalRecipients, at: now })
  const refusal = await recordDeferredCharge(tx, world, { ...charge, id })
  if (refusal) return backToDraft(now, refusal.message)
  return { stage: 'DELIVER', segments: null, sentAt: now, chargedAt: now, wakeAt: now, paceAt: now }
}
