import { setTimeout as pause } from 'node:timers/promises'
import type { Handover } from '../../../kit/mailer.ts'
import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { recordBounce } from '../feedback/bounce.ts'
import { recipientsOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import { type ClaimedEmail, isClaimed, releaseClaim } from './claim.ts'
import { loadContent } from './contents.ts'
import { awaitRenderer, renderEmail } from './renderers.ts'
import { type Outcome, settleEmail } from './settle.ts'
import { signingKeyOf } from './signing-keys.ts'
import { transportOf } from './transport.ts'

/**
 * Attempts to deliver a claimed email and records the outcome with its reason. Nothing is recorded when the claim was
 * lost: the email belongs to another worker then. After a crash the claim expires, and the email is attempted again with
 * the same Message-ID. Once a server has accepted it, nothing leads to another attempt.
 */
export async function deliverClaimed(world: World, email: ClaimedEmail): Promise<void> {
  const attempt: Attempt = { world, email, release: () => {} }
  try {
    const outcome = await runSteps(attempt).catch((error: unknown) => interrupted(world, email, error))
    attempt.release()
    if (outcome.kind === 'lost') return
    if (outcome.kind === 'BOUNCED') await suppressBounced(world, email, outcome.reason)
    await settleEmail(world, email, outcome)
  } finally {
    releaseClaim(world, email)
  }
}

// Before the outcome is recorded, so that it is repeated after a crash in between.
async function suppressBounced(world: World, email: ClaimedEmail, reason: string): Promise<void> {
  for (;;) {
    try {
      return await recordBounce(world, email, reason)
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        return world.log.error({ err: error, email: email.id }, 'emails: a bounced address was not suppressed')
      await pause(unavailableWaitMs)
    }
  }
}

const unavailableWaitMs = 500

/** An attempt under way: its input, and what its steps have produced so far. */
interface Attempt {
  world: World
  email: ClaimedEmail
  content?: Content
  subject?: string
  message?: Uint8Array
  recipients?: string[]
  /** Lets the next email with a slow template be rendered. */
  release: () => void
}

/** What ends an attempt. `lost`: another worker has claimed the email, so that nothing is recorded. */
type Stop = Outcome | { kind: 'lost' }

/** One step of an attempt. It returns what ends the attempt, or null to go on with the next step. */
type Step = (attempt: Attempt) => Stop | null | Promise<Stop | null>

/** The steps of an attempt, in order; the first one that returns an outcome ends it. */
const steps: Step[] = [
  requireOpenWorld,
  requireContact,
  skipIfArrived,
  requireActiveProject,
  requireUnsuppressedAddress,
  requireSubscription,
  load,
  requireVerifiedSender,
  chooseRecipients,
  waitForRenderer,
  requireOpenWorld,
  render,
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

// While the process is ending, emails that have not been handed over are left to another one.
function requireOpenWorld({ world }: Attempt): Stop | null {
  return world.closing.aborted ? { kind: 'released' } : null
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

function requireVerifiedSender(attempt: Attempt): Stop | null {
  if (attempt.email.domainVerified) return null
  return { kind: 'FAILED', reason: `The sender domain of ${partOf(attempt, 'content').fromAddress} is no longer verified.` }
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

async function load(attempt: Attempt): Promise<null> {
  attempt.content = await loadContent(attempt.world, attempt.email)
  return null
}

async function waitForRenderer(attempt: Attempt): Promise<null> {
  attempt.release = await awaitRenderer(attempt.world, attempt.email)
  return null
}

async function render(attempt: Attempt): Promise<Stop | null> {
  const { world, email } = attempt
  const key = transportOf(world).signs ? await signingKeyOf(world, email) : null
  const rendered = await renderEmail(world, email, partOf(attempt, 'content'), key)
  attempt.release()
  attempt.release = () => {}
  if (rendered.kind === 'dropped') return { kind: 'released' }
  if (rendered.kind === 'failed') return { kind: 'FAILED', reason: rendered.reason }
  attempt.subject = rendered.subject
  attempt.message = rendered.raw
  return null
}

// A suppressed cc or bcc address is left out; the email is still sent to the others.
async function chooseRecipients(attempt: Attempt): Promise<null> {
  const { world, email } = attempt
  const [recipient = email.toAddress, ...copies] = recipientsOf(email, partOf(attempt, 'content'))
  const suppressed = copies.length > 0 ? await findSuppressed({ db: world.db, projectId: email.projectId }, copies) : new Map()
  attempt.recipients = [recipient, ...copies.filter((copy) => !suppressed.has(copy))]
  return null
}

function requireClaim({ world, email }: Attempt): Stop | null {
  return isClaimed(world, email) ? null : { kind: 'lost' }
}

async function handOver(attempt: Attempt): Promise<Stop> {
  const { world, email } = attempt
  const subject = partOf(attempt, 'subject')
  const handover = await transportOf(world).send({
    from: partOf(attempt, 'content').fromAddress,
    to: partOf(attempt, 'recipients'),
    raw: Buffer.from(partOf(attempt, 'message').buffer as ArrayBuffer),
    projectId: email.projectId,
    emailId: email.id,
    subject,
  })
  return outcomeOf(email, subject, handover, world.clock.now())
}

function partOf<Part extends 'content' | 'subject' | 'message' | 'recipients'>(attempt: Attempt, part: Part): NonNullable<Attempt[Part]> {
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
  return databaseDown && outcome.kind === 'retry' ? { ...outcome, waitMs: 0 } : outcome
}

const minute = 60_000
const retryWaitsMs = [0.5 * minute, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 120 * minute]
const maxRetryMs = 24 * 60 * minute

/** The outcome of a temporary failure: another attempt after a growing delay, until 24 hours after acceptance. */
export function retryOrFail(email: Pick<ClaimedEmail, 'attempts' | 'createdAt'>, reason: string, now: Date): Outcome {
  const waitMs = retryWaitsMs[Math.min(email.attempts, retryWaitsMs.length) - 1] ?? minute
  if (now.getTime() + waitMs - email.createdAt.getTime() <= maxRetryMs) return { kind: 'retry', reason, waitMs }
  return { kind: 'FAILED', reason: `Given up after 24 hours and ${email.attempts} attempts: ${reason}` }
}
