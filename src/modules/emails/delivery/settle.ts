import { setTimeout as pause } from 'node:timers/promises'
import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import { isDatabaseAway } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceEvents } from '../../events/log.ts'
import { messageIdOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import { heldMails, type Mail, releaseMail, reserved } from './claim.ts'
import { settleEmails } from './sql.ts'

/** How an attempt ended. Everything that is not `sent` says why in a sentence a person can read. */
export type Ending =
  | { kind: 'SENT'; subject?: string }
  | { kind: 'BOUNCED' | 'FAILED'; reason: string; subject?: string }
  | { kind: 'SUPPRESSED' | 'CANCELLED'; reason: string }
  /** Tried again at `at`. */
  | { kind: 'retry'; reason: string; at: Date }
  /** Not tried, for the sending rate: its place is at `at`. */
  | { kind: 'postponed'; at: Date }

/**
 * Records an ending, only while the mail is still held by its claim; waits as long as Postgres is away, because what has
 * left must not be sent again. Answers whether it was recorded.
 */
export async function settleEmail(world: World, mail: Mail, content: Content | null, ending: Ending): Promise<boolean> {
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    try {
      const settled = await laneOf(world)({ mail, content, ending })
      releaseMail(world, mail)
      if (settled) world.metrics.mails.inc({ status: ending.kind })
      else world.log.warn({ email: mail.id, ending: ending.kind }, 'emails: a claim was lost before its ending was recorded')
      return settled
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await pause(waitMs)
    }
  }
}

interface Settlement {
  mail: Mail
  content: Content | null
  ending: Ending
}

const mostSettled = 200
const busy = 50
const gatherMs = 25
const laneOf = perWorld((world) => batch((group: Settlement[]) => settleAll(world, group), mostSettled))

async function settleAll(world: World, group: Settlement[]): Promise<boolean[]> {
  const now = world.clock.now()
  const rows = group.map((one) => rowOf(one, now))
  const column = <Key extends keyof SettledRow>(key: Key): SettledRow[Key][] => rows.map((row) => row[key])
  const settled = await world.db.run(settleEmails, [
    group.map(({ mail }) => mail.projectId),
    group.map(({ mail }) => mail.id),
    group.map(({ mail }) => mail.claim),
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
  for (const projectId of new Set(group.map(({ mail }) => mail.projectId))) announceEvents(world, projectId)
  // Under load the next group may gather for a moment: a tenth of the statements, and of the fsyncs.
  if (heldMails(world) > busy && group.length < busy) await pause(gatherMs)
  return group.map(({ mail }) => done.has(mail.id))
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

function rowOf({ mail, content, ending }: Settlement, now: Date): SettledRow {
  const row = { subject: null, reason: null, wakeAt: null, nextClaim: null, eventId: null, eventName: null, eventData: null }
  if (ending.kind === 'postponed') return { ...row, status: 'PENDING', wakeAt: ending.at, nextClaim: reserved }
  if (ending.kind === 'retry') return { ...row, status: 'PENDING', wakeAt: ending.at, reason: ending.reason }
  const reason = 'reason' in ending ? ending.reason.slice(0, 1_000) : null
  const subject = 'subject' in ending ? (ending.subject ?? null) : null
  const line = eventOf(mail, content, ending, now)
  if (!line) return { ...row, status: ending.kind, subject, reason }
  return {
    ...row,
    status: ending.kind,
    subject,
    reason,
    eventId: newId('event', now),
    eventName: line.name,
    eventData: JSON.stringify(line.data),
  }
}

// Payloads as in reference facts [6]; a mail that did not leave is `email.failed` with the state it ended in.
function eventOf(mail: Mail, content: Content | null, ending: Ending, now: Date): { name: string; data: object } | null {
  if (ending.kind === 'CANCELLED' || !content) return null
  const subject = 'subject' in ending && ending.subject ? ending.subject : content.subject
  const base = {
    subject,
    from: content.fromAddress,
    fromName: content.fromName,
    messageId: messageIdOf(mail, content),
    emailId: mail.id,
    templateId: content.templateId,
    campaignId: null,
    sourceType: mail.source,
  }
  if (ending.kind === 'SENT') return { name: 'email.sent', data: { ...base, sentAt: now } }
  if (ending.kind === 'BOUNCED')
    return { name: 'email.bounce', data: { ...base, bounceType: 'Permanent', bouncedAt: now, reason: ending.reason } }
  return { name: 'email.failed', data: { ...base, status: ending.kind, failedAt: now, reason: 'reason' in ending ? ending.reason : null } }
}
