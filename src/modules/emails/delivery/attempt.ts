import { TemplateFailure } from '../../../kit/liquid.ts'
import type { Handover } from '../../../kit/mailer.ts'
import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { recordBounce } from '../feedback/bounce.ts'
import { composeMessage, recipientsOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import { type RenderedContent, renderContent } from '../message/render.ts'
import { signMessage } from '../message/sign.ts'
import { trackContent } from '../message/track.ts'
import { type ClaimedEmail, claimEmail, type EmailKey, isClaimed, releaseClaim } from './claim.ts'
import { loadContent } from './contents.ts'
import { type Outcome, settleEmail } from './settle.ts'
import { signingKeyOf } from './signing-keys.ts'
import { reserveSlot } from './throttle.ts'
import { transportOf } from './transport.ts'

/** Delivers one new email, unless another worker has claimed it or it is not new any more. */
export async function deliverEmail(world: World, key: EmailKey): Promise<void> {
  const email = await claimEmail(world, key)
  if (email) await deliverClaimed(world, email)
}

/**
 * Attempts to deliver a claimed email and records the outcome with its reason. Nothing is recorded when the claim was
 * lost: the email belongs to another worker then. After a crash the claim expires, and the email is attempted again with
 * the same Message-ID.
 */
export async function deliverClaimed(world: World, email: ClaimedEmail): Promise<void> {
  try {
    const content = await loadContent(world, email)
    const outcome = await runSteps({ world, email, content })
    if (outcome.kind === 'lost') return
    if (outcome.kind === 'BOUNCED') await recordBounce(world, email, outcome.reason)
    await settleEmail(world, email, outcome)
  } catch (error) {
    await settleEmail(world, email, interrupted(world, email, error))
  } finally {
    releaseClaim(world, email)
  }
}

/** An attempt under way: its input, and what its steps have produced so far. */
interface Attempt {
  world: World
  email: ClaimedEmail
  content: Content
  rendered?: RenderedContent
  message?: Uint8Array[]
  recipients?: string[]
}

/** What ends an attempt. `lost`: another worker has claimed the email, so that nothing is recorded. */
type Stop = Outcome | { kind: 'lost' }

/** One step of an attempt. It returns what ends the attempt, or null to go on with the next step. */
type Step = (attempt: Attempt) => Stop | null | Promise<Stop | null>

/** The steps of an attempt, in order; the first one that returns an outcome ends it. */
const steps: Step[] = [
  requireContact,
  skipIfArrived,
  requireActiveProject,
  requireVerifiedSender,
  requireUnsuppressedAddress,
  requireSubscription,
  takeRateToken,
  render,
  track,
  compose,
  sign,
  chooseRecipients,
  requireClaim,
  handOver,
]

async function runSteps(attempt: Attempt): Promise<Stop> {
  for (const step of steps) {
    const stop = await step(attempt)
    if (stop) return stop
  }
  throw new Error('An attempt ended without an outcome')
}

function requireContact({ email }: Attempt): Stop | null {
  return email.contactDeleted ? { kind: 'CANCELLED', reason: 'The contact was deleted before the email was sent.' } : null
}

// The recipient has opened it: an earlier attempt succeeded although the server's answer was lost.
function skipIfArrived({ email }: Attempt): Stop | null {
  return email.arrived ? { kind: 'SENT' } : null
}

function requireActiveProject({ email }: Attempt): Stop | null {
  return email.disabled ? { kind: 'FAILED', reason: 'The project is disabled.' } : null
}

function requireVerifiedSender({ email, content }: Attempt): Stop | null {
  if (email.domainVerified) return null
  return { kind: 'FAILED', reason: `The sender domain of ${content.fromAddress} is no longer verified.` }
}

const suppressedBy = {
  BOUNCE: 'The address is on the suppression list: an earlier email to it bounced.',
  COMPLAINT: 'The address is on the suppression list: its owner reported an earlier email as spam.',
}

function requireUnsuppressedAddress({ email }: Attempt): Stop | null {
  return email.suppressed ? { kind: 'SUPPRESSED', reason: suppressedBy[email.suppressed] } : null
}

function requireSubscription({ email }: Attempt): Stop | null {
  return email.optedOut ? { kind: 'SUPPRESSED', reason: 'The contact has unsubscribed from marketing emails.' } : null
}

async function takeRateToken({ world, email }: Attempt): Promise<Stop | null> {
  const at = await reserveSlot(world, email)
  return at ? { kind: 'postponed', at } : null
}

function render(attempt: Attempt): Stop | null {
  const { world, email, content } = attempt
  try {
    attempt.rendered = renderContent(world, email, content)
    return null
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'FAILED', reason: error.message }
    throw error
  }
}

function track(attempt: Attempt): null {
  const { world, email, content } = attempt
  attempt.rendered = trackContent(world, email, content, partOf(attempt, 'rendered'))
  return null
}

function compose(attempt: Attempt): null {
  const { email, content } = attempt
  attempt.message = composeMessage({ email, content, rendered: partOf(attempt, 'rendered') })
  return null
}

async function sign(attempt: Attempt): Promise<null> {
  const { world, email } = attempt
  const key = transportOf(world).signs ? await signingKeyOf(world, email) : null
  if (key) attempt.message = await signMessage(partOf(attempt, 'message'), key, email.createdAt)
  return null
}

// A suppressed cc or bcc address is left out; the email is still sent to the others.
async function chooseRecipients(attempt: Attempt): Promise<null> {
  const { world, email, content } = attempt
  const [recipient = email.toAddress, ...copies] = recipientsOf(email, content)
  const suppressed = copies.length > 0 ? await findSuppressed({ db: world.db, projectId: email.projectId }, copies) : new Map()
  attempt.recipients = [recipient, ...copies.filter((copy) => !suppressed.has(copy))]
  return null
}

function requireClaim({ world, email }: Attempt): Stop | null {
  return isClaimed(world, email) ? null : { kind: 'lost' }
}

async function handOver(attempt: Attempt): Promise<Stop> {
  const { world, email, content } = attempt
  const { subject } = partOf(attempt, 'rendered')
  const handover = await transportOf(world).send({
    from: content.fromAddress,
    to: partOf(attempt, 'recipients'),
    pieces: partOf(attempt, 'message'),
    projectId: email.projectId,
    emailId: email.id,
    subject,
  })
  return outcomeOf(email, subject, handover, world.clock.now())
}

function partOf<Part extends 'rendered' | 'message' | 'recipients'>(attempt: Attempt, part: Part): NonNullable<Attempt[Part]> {
  const value = attempt[part]
  if (value === undefined) throw new Error(`The steps of an attempt are out of order: ${part} does not exist yet`)
  return value
}

function outcomeOf(email: ClaimedEmail, subject: string, handover: Handover, now: Date): Outcome {
  if (handover.kind === 'accepted') return { kind: 'SENT', subject }
  if (handover.kind === 'deferred') return retryOrFail(email, handover.response, now)
  return { kind: handover.recipient ? 'BOUNCED' : 'FAILED', reason: handover.response, subject }
}

function interrupted(world: World, email: ClaimedEmail, error: unknown): Outcome {
  const now = world.clock.now()
  const databaseDown = isDatabaseUnavailable(error)
  if (!databaseDown) world.log.error({ err: error, email: email.id }, 'emails: an attempt failed unexpectedly')
  const reason = databaseDown ? 'The database was unavailable during this attempt.' : 'An internal error stopped this attempt.'
  const outcome = retryOrFail(email, reason, now)
  // Recording the outcome waits until Postgres is available again; from then on there is no reason to wait longer.
  return databaseDown && outcome.kind === 'retry' ? { ...outcome, at: now } : outcome
}

const minute = 60_000
const retryWaitsMs = [0.5 * minute, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 120 * minute]
const maxRetryMs = 24 * 60 * minute

/** The outcome of a temporary failure: another attempt after a growing delay, until 24 hours after acceptance. */
export function retryOrFail(email: Pick<ClaimedEmail, 'attempts' | 'createdAt'>, reason: string, now: Date): Outcome {
  const wait = retryWaitsMs[Math.min(email.attempts, retryWaitsMs.length) - 1] ?? minute
  const at = new Date(now.getTime() + wait)
  if (at.getTime() - email.createdAt.getTime() <= maxRetryMs) return { kind: 'retry', reason, at }
  return { kind: 'FAILED', reason: `Given up after 24 hours and ${email.attempts} attempts: ${reason}` }
}
