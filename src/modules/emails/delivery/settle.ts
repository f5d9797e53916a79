import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../../kit/ids.ts'
import { batchInLanes } from '../../../kit/lanes.ts'
import { type Executor, isDatabaseUnavailable, isTransient } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceEvents } from '../../events/log.ts'
import { suppressAddressOf, suppressRecipient, suppressUnreachable, withTurn } from '../feedback/suppress.ts'
import { type ClaimedEmail, countClaimed, releaseClaim } from '../queue/claim.ts'
import type { WaitsFor } from '../queue/waits.ts'
import type { Copies, Outcome } from './outcomes.ts'
import { settleEmails } from './sql.ts'

/**
 * Records an outcome, provided that no other worker has claimed the email since. Waits as long as Postgres is unavailable or
 * the row is locked; where Postgres refuses the record, only the status is recorded: an email that was sent must not be sent
 * again. Returns whether the outcome was recorded.
 */
export async function settleEmail(world: World, email: ClaimedEmail, outcome: Outcome): Promise<boolean> {
  let recorded: Outcome = outcome
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      const settled = await settleInBatch(world)({ email, outcome: recorded })
      releaseClaim(world, email)
      if (settled && recorded.kind === 'FAILED' && recorded.mailbox) await suppressFailing(world, email)
      if (settled && outcome.kind !== 'COPIES') world.metrics.mails.inc({ status: outcome.kind })
      else if (!settled)
        world.log.warn(
          { email: email.id, outcome: outcome.kind },
          'emails: an outcome was not recorded, because another worker had claimed the email, or it was removed',
        )
      return settled
    } catch (error) {
      if (!isTransient(error)) {
        world.log.error({ err: error, email: email.id, outcome: outcome.kind }, 'emails: the record of an outcome was refused')
        recorded = minimalOf(outcome)
      }
      await sleep(waitMs)
    }
  }
}

/** Suppresses the address of an email that bounced. Call it before the outcome is recorded, so that it is repeated after a crash in between. */
export async function suppressBounced(world: World, email: ClaimedEmail, reason: string): Promise<void> {
  return whenAvailable(world, email, () => suppressRecipient(world, email, { reason: 'BOUNCE', sentence: reason }))
}

/** Suppresses the addresses of copies that do not exist, as suppressBounced does. */
export async function suppressUnknown(world: World, email: ClaimedEmail, { lost }: Copies): Promise<void> {
  const { projectId, id } = email
  for (const { address: toAddress, reason: sentence } of lost.filter(({ unknown }) => unknown))
    await whenAvailable(world, email, () =>
      withTurn(world, projectId, () => suppressAddressOf(world, { projectId, id, toAddress }, { reason: 'BOUNCE', sentence })),
    )
}

// After the outcome is recorded, which counts.
async function suppressFailing(world: World, email: ClaimedEmail): Promise<void> {
  return whenAvailable(world, email, () => suppressUnreachable(world, email))
}

async function whenAvailable(world: World, email: ClaimedEmail, suppress: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await suppress()
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        return world.log.error({ err: error, email: email.id }, 'emails: a bounced address was not suppressed')
      await sleep(unavailableWaitMs)
    }
  }
}

const unavailableWaitMs = 500

function minimalOf(outcome: Outcome): Outcome {
  const copies = 'copies' in outcome && outcome.copies ? { copies: { ...outcome.copies, reason: null, lost: [] } } : {}
  if (outcome.kind === 'SENT') return { kind: 'SENT', ...copies }
  if (!('reason' in outcome)) return { ...outcome, ...copies }
  const reason = 'The reason could not be recorded.'
  if ('waitMs' in outcome) return { ...outcome, reason }
  return { kind: outcome.kind, reason, ...(outcome.uncertain && { uncertain: true }), ...copies }
}

interface Settlement {
  email: ClaimedEmail
  outcome: Outcome
}

const maxSettled = 200
const busyFrom = 50
const gatherMs = 25
// One locked row makes only its own email wait.
const settleInBatch = perWorld((world) =>
  batchInLanes({
    flush: (group: Settlement[]) => settleAll(world, world.db.lookups, group),
    flushAlone: (group: Settlement[]) => settleAll(world, world.db, group),
    max: maxSettled,
    ownerOf: ({ email }) => email.projectId,
    locksOf: ({ email }) => [email.id],
  }),
)

async function settleAll(world: World, on: Executor, group: Settlement[]): Promise<boolean[]> {
  const now = world.clock.now()
  const rows = group.map(({ outcome }) => toRow(outcome, now))
  const column = <Key extends keyof SettledRow>(key: Key): SettledRow[Key][] => rows.map((row) => row[key])
  const settled = await on.run(settleEmails, [
    group.map(({ email }) => email.projectId),
    group.map(({ email }) => email.id),
    group.map(({ email }) => email.claim),
    column('status'),
    column('reason'),
    column('waitMs'),
    column('counts'),
    column('subject'),
    column('eventName'),
    column('eventData'),
    now,
    world.clock.aheadMs,
    column('uncertain'),
    column('mailbox'),
    column('waitsFor'),
    column('copies'),
    column('lost'),
  ])
  const done = new Set(settled.map(({ id }) => id))
  for (const projectId of new Set(group.map(({ email }) => email.projectId))) announceEvents(world, projectId)
  // Under load, wait a moment so that the next group grows: a tenth of the statements and of the fsyncs.
  if (countClaimed(world) > busyFrom && group.length < busyFrom) await sleep(gatherMs)
  return group.map(({ email }) => done.has(email.id))
}

interface SettledRow {
  status: string | null
  reason: string | null
  /** What it waits for, unless it is the next attempt after a failure. */
  waitsFor: WaitsFor | null
  /** Time until the next attempt; null when the email has ended. */
  waitMs: number | null
  /** Whether this attempt is counted. */
  counts: boolean
  subject: string | null
  eventName: string | null
  eventData: string | null
  /** Whether the email may have arrived although it was not accepted. */
  uncertain: boolean
  /** Whether it failed because the mailbox cannot take any email at present. */
  mailbox: boolean
  /** The copies that alone are offered it again, as JSON; null for none. */
  copies: string | null
  /** The lines of the log about copies that are lost, as JSON; null for none. */
  lost: string | null
}

const maxReasonLength = 1_000

const emptyRow: SettledRow = {
  status: null,
  reason: null,
  waitsFor: null,
  waitMs: null,
  counts: true,
  subject: null,
  eventName: null,
  eventData: null,
  uncertain: false,
  mailbox: false,
  copies: null,
  lost: null,
}

function toRow(outcome: Outcome, now: Date): SettledRow {
  const row = emptyRow
  if (outcome.kind === 'released') return { ...row, waitMs: 0, counts: false }
  if (outcome.kind === 'COPIES')
    return { ...row, ...rowOfCopies(outcome.copies, now), reason: outcome.copies.reason && textOf(outcome.copies.reason) }
  const reason = 'reason' in outcome ? textOf(outcome.reason) : null
  if (outcome.kind === 'paused') return { ...row, reason, waitsFor: outcome.waitsFor, waitMs: outcome.waitMs, counts: false }
  if (outcome.kind === 'unseen') return { ...row, reason, waitMs: outcome.waitMs, counts: false }
  if (outcome.kind === 'retry') return { ...row, reason, waitMs: outcome.waitMs, uncertain: outcome.uncertain ?? false }
  const subject = 'subject' in outcome ? (outcome.subject ?? null) : null
  const event = eventOf(outcome, now)
  const eventData = event && JSON.stringify({ eventId: newId('event', now), ...event.data })
  const mailbox = outcome.kind === 'FAILED' && outcome.mailbox === true
  const uncertain = 'uncertain' in outcome && outcome.uncertain === true
  const copies = 'copies' in outcome && outcome.copies ? rowOfCopies(outcome.copies, now) : {}
  return { ...row, ...copies, status: outcome.kind, reason, subject, eventName: event?.name ?? null, eventData, mailbox, uncertain }
}

function textOf(reason: string): string {
  return reason.slice(0, maxReasonLength).toWellFormed().replaceAll('\0', '')
}

function rowOfCopies({ waiting, waitMs, lost }: Copies, now: Date): Pick<SettledRow, 'copies' | 'waitMs' | 'lost'> {
  const lines = lost.map(({ address, reason }) => ({
    eventId: newId('event', now),
    data: { copy: address, failedAt: now, reason: textOf(reason) },
  }))
  return {
    copies: waiting.length > 0 ? JSON.stringify(waiting) : null,
    waitMs,
    lost: lines.length > 0 ? JSON.stringify(lines) : null,
  }
}

type Final = Exclude<Outcome, { kind: 'retry' | 'unseen' | 'released' | 'paused' | 'COPIES' }>

// The data an event adds to that of all `email.*` events. An email that was withheld is logged as `email.failed` with its status.
function eventOf(outcome: Final, now: Date): { name: string; data: object } | null {
  if (outcome.kind === 'CANCELLED') return null
  if (outcome.kind === 'SENT') return { name: 'email.sent', data: { sentAt: now } }
  const { kind, reason } = outcome
  if (kind === 'BOUNCED') return { name: 'email.bounce', data: { bounceType: 'Permanent', bouncedAt: now, reason, refused: true } }
  return { name: 'email.failed', data: { status: kind, failedAt: now, reason } }
}
