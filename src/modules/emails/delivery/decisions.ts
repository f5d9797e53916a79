import type { World } from '../../../kit/world.ts'
import { findUnwilling } from '../../contacts/lookup.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { recipientsOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { campaignCancelled, campaignPaused, pausedMs, waitsForCampaign, waitsForDomain } from '../queue/waits.ts'
import type { Outcome } from './outcomes.ts'

/** How an email ends that is not to be sent, by what was read of it last; null when it is to be sent. */
export function decide({ email }: { email: ClaimedEmail }): Outcome | null {
  for (const decision of email.copies ? decisionsOfCopies : decisions) {
    const outcome = decision(email)
    if (outcome) return outcome
  }
  return null
}

/**
 * Whom an email is sent to: its recipient, and the cc and bcc addresses that are not suppressed for it and, unless it is transactional,
 * have not opted out. Of one whose copies alone are left, those of them.
 */
export async function chooseRecipients(world: Pick<World, 'db' | 'vault'>, email: ClaimedEmail, content: Content): Promise<string[]> {
  const [recipient = email.toAddress, ...all] = recipientsOf(email, content)
  const copies = email.copies ?? all
  if (copies.length === 0) return [recipient]
  const withheld = await withheldOf(world, { projectId: email.projectId, emails: copies, type: content.type })
  return [...(email.copies ? [] : [recipient]), ...copies.filter((copy) => !withheld.has(copy))]
}

async function withheldOf(
  world: Pick<World, 'db' | 'vault'>,
  { projectId, emails, type }: { projectId: string; emails: string[]; type: Content['type'] },
): Promise<Set<string>> {
  const suppressed = await findSuppressed({ db: world.db, projectId }, emails)
  if (type !== 'TRANSACTIONAL') return new Set([...suppressed.keys(), ...(await findUnwilling(world, { projectId, emails }))])
  return new Set([...suppressed].flatMap(([email, reason]) => (reason === 'UNSUBSCRIBED' ? [] : [email])))
}

type Decision = (email: ClaimedEmail) => Outcome | null

const suppressedBy = {
  UNSUBSCRIBED: 'The address is on the suppression list: it has opted out of marketing emails.',
  MANUAL: 'The address is on the suppression list: it was put there by the project.',
  BOUNCE: 'The address is on the suppression list: an earlier email to it bounced.',
  COMPLAINT: 'The address is on the suppression list: its owner reported an earlier email as spam.',
}

const contactExists: Decision = (email) =>
  email.contactDeleted ? { kind: 'CANCELLED', reason: `The contact was deleted ${beforeIt(email)}.` } : null

const beforeIt = ({ uncertain }: ClaimedEmail): string => `before the email was ${uncertain ? 'attempted again' : 'sent'}`

// The recipient has opened it or unsubscribed with a link of it, or a provider has reported on it: an earlier attempt succeeded although the server's answer was lost.
const hasNotArrived: Decision = ({ arrived }) => (arrived ? { kind: 'SENT' } : null)

// An earlier attempt has ended so: a worker suppresses the address before it records the bounce.
const hasNotBounced: Decision = ({ bounced }) => (bounced ? { kind: 'BOUNCED', reason: bouncedUnrecorded } : null)

const bouncedUnrecorded =
  'The mail server refused the email for good. Its answer was lost, because the worker stopped before it was recorded.'

const campaignGoesOn: Decision = ({ campaign }) => {
  if (campaign === 'stopped') return { kind: 'CANCELLED', reason: campaignCancelled }
  return campaign === 'paused' ? { kind: 'paused', reason: campaignPaused, waitsFor: waitsForCampaign, waitMs: pausedMs } : null
}

const projectIsActive: Decision = ({ disabled }) => (disabled ? { kind: 'FAILED', reason: 'The project is disabled.' } : null)

const addressIsNotSuppressed: Decision = ({ suppressed }) => (suppressed ? { kind: 'SUPPRESSED', reason: suppressedBy[suppressed] } : null)

const contactWantsIt: Decision = ({ optedOut }) =>
  optedOut ? { kind: 'SUPPRESSED', reason: 'The contact has unsubscribed from marketing emails.' } : null

// Whoever has the address now may be somebody else, who has not asked for it.
const contactHasItsAddress: Decision = (email) =>
  email.addressChanged ? { kind: 'CANCELLED', reason: `The address of the contact was changed ${beforeIt(email)}.` } : null

// Many that wait take the turns of others of their project at each look, so that these become rarer.
const minLookMs = 5 * 60_000
const maxLookMs = 3_600_000
const maxUnverifiedMs = 24 * 3_600_000

// A check of a domain may have missed a record for a moment.
const senderIsVerified: Decision = ({ senderDomain, sinceUnverifiedMs, fromAddress: from }) => {
  if (senderDomain === 'verified') return null
  if (senderDomain === 'deleted') return { kind: 'FAILED', reason: `The sender domain of ${from} was deleted.` }
  const reason = `The sender domain of ${from} is not verified at the moment.`
  if (sinceUnverifiedMs >= maxUnverifiedMs) return { kind: 'FAILED', reason: `Given up after 24 hours: ${reason}` }
  const waitMs = Math.min(maxLookMs, Math.max(minLookMs, sinceUnverifiedMs / 4))
  return { kind: 'paused', reason, waitsFor: `${waitsForDomain}${from.replace(/^.*@/, '')}`, waitMs }
}

// In this order: the first that refuses gives the reason.
const decisions: Decision[] = [
  hasNotArrived,
  hasNotBounced,
  contactExists,
  campaignGoesOn,
  projectIsActive,
  contactHasItsAddress,
  addressIsNotSuppressed,
  contactWantsIt,
  senderIsVerified,
]

// What became of the recipient says nothing about others, whose addresses are looked at by themselves.
const decisionsOfCopies: Decision[] = [contactExists, projectIsActive, senderIsVerified]
