import { domainOf } from '../../../kit/address.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { isDeferred, settleCharge } from '../../billing/deferral.ts'
import {
  type CampaignKey,
  countInQueue,
  hasAnySent,
  hasMoreRecipients,
  putRecipientsAside,
  queueRecipients,
  takeRecipientsBack,
  unqueueRecipients,
} from '../../emails/ledger/ledger.ts'
import { finished } from './finish.ts'
import type { CampaignStep, DueCampaign } from './sql.ts'
import type { Step } from './step.ts'

// The ledger waits, and the queue has the next few thousand: pausing, cancelling and changing the rate concern only these. Those that
// a mail server wants to see later do not count: one large provider that defers everything must not hold up the others.
const maxReady = 10_000
const perStep = 5_000
const tickMs = 500
const maxTickMs = 5_000
const heldMs = 10_000
// A clock that was set back is noticed only when a campaign waits longer than any step lets it.
const maxPacedMs = 5 * 60_000
const hourMs = 3_600_000

/**
 * Hands the next emails of a campaign to the delivery queue as far as it has room and the rate per hour allows, and ends the campaign
 * when all have ended. While the campaign or its project is paused, or its sender domain is not verified any more, its queued emails are
 * put aside; with a rate they leave at it afterwards.
 */
export const deliver: Step = async (world, due) => async (tx) => {
  const key = keyOf(due)
  await settleOnceSent(tx, world, due)
  if (due.paused || due.disabled || !due.verified) return hold(tx, world, due)
  const requeued = due.held && due.maxPerHour !== null ? await requeue(tx, key) : undefined
  // What workers have claimed under another rate comes back first.
  if (requeued && (await countInQueue(tx, key)).claimed > onTheirWay(due))
    return { ...requeued, wakeAt: new Date(world.clock.now().getTime() + tickMs) }
  const campaign = { ...due, ...requeued }
  // Each time, because an email that was being sent may have been put aside after the others were taken back.
  await takeRecipientsBack(tx, world, key)
  const { queued, deferred } = await countInQueue(tx, key)
  const paced = paceOf(world, campaign, queued)
  const limit = Math.min(perStep, maxReady - (queued - deferred), paced.allowed)
  const next = limit > 0 ? await queueRecipients(tx, world, { ...key, after: campaign.queuedUpTo, limit }) : null
  const isAtEnd = queued === 0 && (next ? next.last === null : !(await hasMoreRecipients(tx, { ...key, after: campaign.queuedUpTo })))
  if (isAtEnd) return finished(tx, world, campaign)
  const tokens = paced.tokens - (next?.count ?? 0)
  const waitMs = waitOf(world, campaign, { queued: queued + (next?.count ?? 0), deferred, tokens })
  return {
    ...requeued,
    held: false,
    statusReason: null,
    ...(next?.last != null && { queuedUpTo: next.last }),
    ...(campaign.maxPerHour !== null && {
      paceTokens: tokens,
      paceAt: world.clock.now(),
      paceWaiting: paced.waiting,
    }),
    // More is taken at once while there is room.
    wakeAt: next?.count === perStep ? world.clock.now() : new Date(world.clock.now().getTime() + waitMs),
  }
}

// Not before something can have changed: what is queued has left, what is deferred is due again, or the rate allows the next email.
function waitOf(
  { config }: World,
  { maxPerHour }: DueCampaign,
  { queued, deferred, tokens }: { queued: number; deferred: number; tokens: number },
): number {
  const ready = queued - deferred
  if (queued === 0) return maxPerHour === null ? tickMs : Math.min(maxPacedMs, Math.max(tickMs, ((1 - tokens) * hourMs) / maxPerHour))
  if (ready === 0) return maxTickMs
  const leavesMs = config.SEND_RATE_PER_PROJECT === 0 ? 0 : (ready * 1_000) / config.SEND_RATE_PER_PROJECT
  // Counting those that wait takes longer the more there are.
  return Math.min(maxTickMs, Math.max(tickMs, leavesMs, (tickMs * queued) / maxReady))
}

/** The ledger of a campaign. */
export function keyOf({ projectId, id }: Pick<DueCampaign, 'projectId' | 'id'>) {
  return { projectId, campaignId: id }
}

/** Takes what waits in the queue back to the ledger, to leave at the rate of its campaign from now on; returns what changes of that. */
export async function requeue(tx: Transaction, key: CampaignKey): Promise<Pick<CampaignStep, 'paceWaiting' | 'queuedUpTo'>> {
  const queuedUpTo = await unqueueRecipients(tx, key)
  return { paceWaiting: 0, ...(queuedUpTo !== null && { queuedUpTo }) }
}

// From then on it is not given back, so that it can be billed.
async function settleOnceSent(tx: Transaction, world: World, campaign: DueCampaign): Promise<void> {
  if (!world.config.billing || !(await isDeferred(tx, campaign))) return
  if (await hasAnySent(tx, { ...keyOf(campaign), upTo: campaign.queuedUpTo })) await settleCharge(tx, world, campaign)
}

async function hold(tx: Transaction, world: World, campaign: DueCampaign): Promise<CampaignStep> {
  // Each time, because emails that were being sent, or whose retry was due, come back to the queue.
  await putRecipientsAside(tx, world, keyOf(campaign))
  const statusReason = campaign.verified ? null : whyHeld(campaign)
  return { held: true, statusReason, wakeAt: campaign.paused ? null : new Date(world.clock.now().getTime() + heldMs) }
}

function whyHeld({ from }: DueCampaign): string {
  const domain = domainOf(from)
  return `Its emails wait, because ${domain} is not verified any more; they leave when it is verified again.`
}

interface Paced {
  tokens: number
  allowed: number
  waiting: number
}

// A token bucket that holds the tokens of one second, at least one. What was handed over and has not left, because the mail server is
// away or has put it off, leaves some time later, on top of what the bucket allows then: so the bucket fills the slower the more of it
// there is, and pays for what has left of it. In no hour more leave than in that of the rate.
function paceOf({ clock }: World, { maxPerHour, paceTokens, paceAt, paceWaiting }: DueCampaign, queued: number): Paced {
  if (maxPerHour === null) return { tokens: 0, allowed: Number.POSITIVE_INFINITY, waiting: 0 }
  const elapsedMs = Math.max(0, clock.now().getTime() - (paceAt ?? clock.now()).getTime())
  const waiting = Math.max(0, queued - onTheirWay({ maxPerHour }))
  const perHour = Math.max(0, maxPerHour - waiting)
  const filled = Math.min(paceTokens + (elapsedMs * perHour) / hourMs, Math.max(1, maxPerHour / 3_600))
  const tokens = filled - Math.max(0, paceWaiting - waiting)
  return { tokens, allowed: Math.floor(tokens), waiting }
}

// Those of ten seconds may be, and one.
function onTheirWay({ maxPerHour }: Pick<DueCampaign, 'maxPerHour'>): number {
  return Math.max(1, Math.floor((maxPerHour ?? 0) / 360))
}
