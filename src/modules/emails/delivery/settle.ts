import { setTimeout as pause } from 'node:timers/promises'
import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceEvents } from '../../events/log.ts'
import { type ClaimedEmail, countClaimed, releaseClaim, reserved } from './claim.ts'
import { settleEmails } from './sql.ts'

/** How an attempt ended. An email that was not sent has a reason: a sentence for people. */
export type Outcome =
  | { kind: 'SENT'; subject?: string }
  | { kind: 'BOUNCED' | 'FAILED'; reason: string; subject?: string }
  | { kind: 'SUPPRESSED' | 'CANCELLED'; reason: string }
  /** Will be tried again at `at`. */
  | { kind: 'retry'; reason: string; at: Date }
  /** Not tried because of the sending rate: it may be sent at `at`. */
  | { kind: 'postponed'; at: Date }

/**
 * Records an outcome, provided that the claim still holds. Waits as long as Postgres is unavailable, because an email that
 * was sent must not be sent again. Returns whether the outcome was recorded.
 */
export async function settleEmail(world: World, email: ClaimedEmail, outcome: Outcome): Promise<boolean> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      const settled = await settleInBatch(world)({ email, outcome })
      releaseClaim(world, email)
      if (settled) world.metrics.mails.inc({ status: outcome.kind })
      else world.log.warn({ email: email.id, outcome: outcome.kind }, 'emails: a claim was lost before its outcome was recorded')
      return settled
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await pause(waitMs)
    }
  }
}

interface Settlement {
  email: ClaimedEmail
  outcome: Outcome
}

const maxSettled = 200
const busyFrom = 50
const gatherMs = 25
const settleInBatch = perWorld((world) => batch((group: Settlement[]) => settleAll(world, group), maxSettled))

async function settleAll(world: World, group: Settlement[]): Promise<boolean[]> {
  const now = world.clock.now()
  const rows = group.map(({ outcome }) => toRow(outcome, now))
  const column = <Key extends keyof SettledRow>(key: Key): SettledRow[Key][] => rows.map((row) => row[key])
  const settled = await world.db.run(settleEmails, [
    group.map(({ email }) => email.projectId),
    group.map(({ email }) => email.id),
    group.map(({ email }) => email.claim),
    column('status'),
    column('subject'),
    column('reason'),
    column('wakeAt'),
    column('nextClaim'),
    column('eventId'),
    column('eventName'),
    column('eventData'),
    now,
  ])
  const done = new Set(settled.map(({ id }) => id))
  for (const projectId of new Set(group.map(({ email }) => email.projectId))) announceEvents(world, projectId)
  // Under load, wait a moment so that the next group grows: a tenth of the statements and of the fsyncs.
  if (countClaimed(world) > busyFrom && group.length < busyFrom) await pause(gatherMs)
  return group.map(({ email }) => done.has(email.id))
}

interface SettledRow {
  status: string
  subject: string | null
  reason: string | null
  wakeAt: Date | null
  nextClaim: string | null
  eventId: string | null
  eventName: string | null
  eventData: string | null
}

const maxReasonLength = 1_000

function toRow(outcome: Outcome, now: Date): SettledRow {
  const row = { subject: null, reason: null, wakeAt: null, nextClaim: null, eventId: null, eventName: null, eventData: null }
  if (outcome.kind === 'postponed') return { ...row, status: 'PENDING', wakeAt: outcome.at, nextClaim: reserved }
  if (outcome.kind === 'retry') return { ...row, status: 'PENDING', wakeAt: outcome.at, reason: outcome.reason }
  const reason = 'reason' in outcome ? outcome.reason.slice(0, maxReasonLength) : null
  const subject = 'subject' in outcome ? (outcome.subject ?? null) : null
  const event = eventOf(outcome, now)
  return {
    ...row,
    status: outcome.kind,
    subject,
    reason,
    ...(event && { eventId: newId('event', now), eventName: event.name, eventData: JSON.stringify(event.data) }),
  }
}

type Final = Exclude<Outcome, { kind: 'retry' | 'postponed' }>

// The data an event adds to that of all `email.*` events. An email that was withheld is logged as `email.failed` with its status.
function eventOf(outcome: Final, now: Date): { name: string; data: object } | null {
  if (outcome.kind === 'CANCELLED') return null
  if (outcome.kind === 'SENT') return { name: 'email.sent', data: { sentAt: now } }
  const { kind, reason } = outcome
  if (kind === 'BOUNCED') return { name: 'email.bounce', data: { bounceType: 'Permanent', bouncedAt: now, reason } }
  return { name: 'email.failed', data: { status: kind, failedAt: now, reason } }
}
