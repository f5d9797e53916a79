import { emailAddress } from '../../../kit/address.ts'
import { newId } from '../../../kit/ids.ts'
import { batchInLanes } from '../../../kit/lanes.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceEvents } from '../../events/log.ts'
import type { EmailName } from './names.ts'
import { findRemoved, recordForRemoved, rememberRemoved } from './removed.ts'
import { type FeedbackEmail, findEmailOfDomain, findEmailOfProject, recordFeedback } from './sql.ts'
import { suppressRecipient, suppressUnreachable } from './suppress.ts'

/** What a provider or a mail server reports about an email. */
export interface Feedback {
  /** What names it, or the email itself where `findReported` was asked for it already. */
  email: EmailName | FeedbackEmail
  /** When it happened; a time in the future counts as now. */
  at: Date
  /** The addresses it is about; none when that is not known. An address that only got a copy says nothing about the recipient. */
  recipients: string[]
  /**
   * Whether everybody who got the email may have made it up, as with what comes back on its return path. Of an email with copies it is
   * recorded, and suppresses and unsubscribes nobody.
   */
  unproven?: boolean
}

/** A bounce or a failure, with a sentence for people. */
export interface FeedbackReason extends Feedback {
  reason: string
}

/**
 * What became of feedback. `unchanged`: it was known, is about a copy, or says nothing that counts of an email whose contact was deleted;
 * `unknown`: there is no such email, or nothing is kept of it any more.
 */
export type FeedbackResult = 'recorded' | 'unchanged' | 'unknown'

/** Records that an email reached the mailbox. Like all feedback it may come again and in any order: the end is the same. */
export async function recordDelivered(world: World, feedback: Feedback): Promise<FeedbackResult> {
  const at = timeOf(world, feedback)
  return record(world, feedback, { kind: 'delivery', at, data: { deliveredAt: at } })
}

/** Records a hard bounce: there is no such address. It is suppressed in the project, and its contact unsubscribed. */
export async function recordBounce(world: World, feedback: FeedbackReason): Promise<FeedbackResult> {
  const at = timeOf(world, feedback)
  const reason = sentenceOf(feedback)
  return record(world, feedback, { kind: 'bounce', at, reason, data: { bounceType: 'Permanent', bouncedAt: at, reason, refused: false } })
}

/**
 * Logs a bounce that passes; the status stays. `mailbox`: the mailbox could not take any email, which suppresses the address when
 * it is so again and again.
 */
export async function recordTransientBounce(world: World, feedback: FeedbackReason & { mailbox: boolean }): Promise<FeedbackResult> {
  const reason = sentenceOf(feedback)
  const data = { bounceType: 'Transient', transientBounce: true, reason }
  return record(world, feedback, { kind: 'transient', at: timeOf(world, feedback), reason, data, mailbox: feedback.mailbox })
}

/** Records that the recipient reported an email as spam. The address is suppressed in the project, and its contact unsubscribed. */
export async function recordComplaint(world: World, feedback: Feedback): Promise<FeedbackResult> {
  const at = timeOf(world, feedback)
  return record(world, feedback, { kind: 'complaint', at, reason: 'Reported as spam.', data: { complainedAt: at } })
}

/** Records that an email was refused after all, which says nothing about its address. `mailbox` as in a bounce that passes. */
export async function recordFailure(world: World, feedback: FeedbackReason & { mailbox: boolean }): Promise<FeedbackResult> {
  return recordEnd(world, feedback, { kind: 'failure', status: 'FAILED', mailbox: feedback.mailbox })
}

/** Records that the platform refused to send an email, such as for a virus. */
export async function recordRejection(world: World, feedback: FeedbackReason): Promise<FeedbackResult> {
  return recordEnd(world, feedback, { kind: 'rejection', status: 'REJECTED', mailbox: false })
}

async function recordEnd(
  world: World,
  feedback: FeedbackReason,
  { kind, status, mailbox }: { kind: 'failure' | 'rejection'; status: string; mailbox: boolean },
): Promise<FeedbackResult> {
  const at = timeOf(world, feedback)
  const reason = sentenceOf(feedback)
  return record(world, feedback, { kind, at, reason, data: { status, failedAt: at, reason }, mailbox })
}

/** What is recorded of feedback. */
interface Fact {
  kind: 'delivery' | 'bounce' | 'transient' | 'complaint' | 'failure' | 'rejection'
  at: Date
  reason?: string
  /** What it adds to the data of all `email.*` events. */
  data: object
  mailbox?: boolean
}

/** The email that feedback is about; null where there is none. Its contact may have been deleted. */
export async function findReported({ db }: Pick<World, 'db'>, name: EmailName): Promise<FeedbackEmail | null> {
  const found =
    'projectId' in name
      ? db.run(findEmailOfProject, [name.projectId, name.emailId])
      : db.run(findEmailOfDomain, [name.domain, name.emailId])
  return (await found)[0] ?? null
}

async function record(world: World, feedback: Feedback, fact: Fact): Promise<FeedbackResult> {
  const { email } = feedback
  const found = 'emailId' in email ? await findReported(world, email) : email
  const known = found?.contactDeleted === false ? await recordKnown(world, found, feedback, fact) : null
  const result = known ?? (await recordGone(world, 'emailId' in email ? email : nameOf(email), feedback, fact))
  world.metrics.feedback.inc({ kind: fact.kind, result })
  return result
}

// Returns null for an email that was removed meanwhile, or whose contact was deleted.
async function recordKnown(
  world: World,
  email: FeedbackEmail,
  { recipients, unproven }: Feedback,
  given: Fact,
): Promise<FeedbackResult | null> {
  if (!isAbout(email, recipients)) return 'unchanged'
  // Whoever got a copy knows the return path as well, and names in a report whom they like.
  const mayBeForged = unproven === true && email.copied
  const fact = mayBeForged ? { ...given, mailbox: false } : given
  if (!mayBeForged) await suppressFor(world, email, fact)
  const isNew = await recordInBatch(world)({ email, fact, eventId: newId('event', world.clock.now()) })
  if (isNew && fact.mailbox) await suppressUnreachable(world, email)
  if (isNew) return 'recorded'
  if (!isFirst(email, fact)) return 'unchanged'
  return (await findReported(world, nameOf(email)))?.contactDeleted === false ? 'unchanged' : null
}

// Of an email that was removed, or whose contact was deleted, nothing is logged: a bounce or complaint counts towards the reputation of its
// project, and says something about its address.
async function recordGone(world: World, name: EmailName, { recipients, unproven = false }: Feedback, fact: Fact): Promise<FeedbackResult> {
  const { kind, reason = '' } = fact
  const found = await findReported(world, name)
  const isCounted = kind === 'bounce' || kind === 'complaint'
  if (found && !isCounted) return 'unchanged'
  if (found) await rememberRemoved(world.db, world, { projectId: found.projectId, emails: [found] })
  const removed = await findRemoved(world, name)
  if (!removed) return found ? 'unchanged' : 'unknown'
  if (!isCounted) return 'unchanged'
  const about = found && isAbout(found, recipients) ? [found.toAddress] : recipients
  return (await recordForRemoved(world, removed, { kind, reason, recipients: about, unproven })) ? 'recorded' : 'unchanged'
}

const nameOf = ({ projectId, id }: FeedbackEmail): EmailName => ({ projectId, emailId: id })

const isFirst = (email: FeedbackEmail, { kind }: Fact): boolean =>
  (kind === 'bounce' && !email.bounced) || (kind === 'complaint' && !email.complained)

// Only the first time: the address may have been taken off the list since.
async function suppressFor(world: World, email: FeedbackEmail, fact: Fact): Promise<void> {
  const { kind, reason: sentence = '' } = fact
  if (isFirst(email, fact)) await suppressRecipient(world, email, { reason: kind === 'bounce' ? 'BOUNCE' : 'COMPLAINT', sentence })
}

/**
 * Whether feedback about these addresses is about the recipient of an email. Mail servers on the way may rewrite an address: where an
 * email went to one only, it can be about no other.
 */
export function isAbout(email: FeedbackEmail, recipients: string[]): boolean {
  return !email.copied || isNamed(email, recipients)
}

/** Whether the recipient of an email is one of these addresses. */
export function isNamed({ toAddress }: FeedbackEmail, recipients: string[]): boolean {
  return recipients.some((address) => emailAddress(address) === toAddress)
}

function timeOf({ clock }: World, { at }: Feedback): Date {
  const now = clock.now()
  return at < now ? at : now
}

const maxReasonLength = 1_000

function sentenceOf({ reason }: FeedbackReason): string {
  return reason
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxReasonLength)
    .toWellFormed()
}

interface Recording {
  email: FeedbackEmail
  fact: Fact
  eventId: string
}

const maxRecorded = 200
const recordInBatch = perWorld((world) =>
  batchInLanes({
    flush: (group: Recording[]) => recordAll(world, world.db.lookups, group),
    flushAlone: (group: Recording[]) => recordAll(world, world.db, group),
    max: maxRecorded,
    ownerOf: ({ email }) => email.projectId,
    locksOf: ({ email }) => [email.id],
  }),
)

// Returns for each whether it was not known yet.
async function recordAll(world: World, on: Executor, group: Recording[]): Promise<boolean[]> {
  const logged = await on.run(recordFeedback, [
    group.map(({ email }) => email.projectId),
    group.map(({ email }) => email.id),
    group.map(({ fact }) => fact.kind),
    group.map(({ fact }) => fact.at),
    group.map(({ fact }) => fact.reason ?? null),
    group.map(({ fact }) => fact.mailbox ?? false),
    group.map(({ eventId }) => eventId),
    group.map(({ fact }) => JSON.stringify(fact.data)),
    world.clock.now(),
  ])
  const ids = new Set(logged.map(({ id }) => id))
  for (const projectId of new Set(group.map(({ email }) => email.projectId))) announceEvents(world, projectId)
  return group.map(({ eventId }) => ids.has(eventId))
}
