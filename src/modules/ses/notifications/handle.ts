import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { derivedId } from '../../../kit/ids.ts'
import { sesTags } from '../../../kit/ses/transport.ts'
import { isMailboxError, meaningOf, parseReported, sentenceOf } from '../../../kit/smtp/refusals.ts'
import type { World } from '../../../kit/world.ts'
import { type EmailName, readMessageId } from '../../emails/feedback/names.ts'
import {
  type FeedbackResult,
  findReported,
  isNamed,
  recordBounce,
  recordComplaint,
  recordDelivered,
  recordRejection,
  recordTransientBounce,
} from '../../emails/feedback/record.ts'
import { findRemoved } from '../../emails/feedback/removed.ts'
import { type ReportedEngagement, recordEngaged } from '../../emails/tracking/record.ts'
import { type SesBounce, type SesMail, SesNotification, type SnsMessage } from '../shapes.ts'
import { receiveSesEmail } from './inbound.ts'

// Until then an email that is not known may become known: its server may be restored, or another process is behind.
const youngMs = 15 * 60_000

/** A message, and when it was received for the first time. */
export interface ReceivedMessage extends SnsMessage {
  receivedAt: Date
}

/**
 * Records what Amazon SES reports about an email, and stores one that came in. Of what it does not know, and of emails that are not ours, it changes nothing.
 * What is recorded again of the same message, after a process has stopped, is recorded once.
 * Fails with RESOURCE_NOT_FOUND for an email that does not exist, unless it was sent more than 15 minutes ago.
 */
export async function handleNotification(ctx: Ctx, { Message, MessageId, receivedAt }: ReceivedMessage): Promise<void> {
  const { world, clock } = ctx
  const notification = readNotification(Message)
  if (!notification) return ignore(ctx)
  if (notification.type === 'Received') return receiveSesEmail(world, notification)
  const email = nameOf(notification.mail)
  if (!email) return ignore(ctx)
  const result = await record(world, email, { ...notification, eventId: derivedId('event', receivedAt, MessageId) })
  const isYoung = clock.now().getTime() - notification.mail.timestamp.getTime() < youngMs
  if (result === 'unknown' && isYoung) throw new Failure('RESOURCE_NOT_FOUND', 'This email is not known.')
}

function ignore({ world, log }: Ctx): void {
  world.metrics.feedback.inc({ kind: 'other', result: 'unknown' })
  log.debug('ses: a notification was ignored')
}

function readNotification(text: string): SesNotification | null {
  try {
    const body = JSON.parse(text) as { eventType?: unknown; notificationType?: unknown } | null
    return SesNotification.safeParse({ ...body, type: body?.eventType ?? body?.notificationType }).data ?? null
  } catch (error) {
    // The first message after a topic was set is plain text.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The email that a notification names: by the tags it was sent with, or by our Message-ID, which SES replaces when it sends. */
function nameOf({ tags, headers, commonHeaders }: SesMail): EmailName | null {
  const [projectId] = tags[sesTags.project] ?? []
  const [emailId] = tags[sesTags.email] ?? []
  if (projectId && emailId) return [projectId, emailId].every(isTag) ? { projectId, emailId } : null
  const header = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value
  return readMessageId(header ?? commonHeaders.messageId ?? '')
}

// What we tag emails with; other text names none of ours, and may be none that Postgres takes.
const isTag = (text: string): boolean => /^[a-z]{3}_[0-9a-z]{26}$/.test(text)

type Feedback = Exclude<SesNotification, { type: 'Received' }> & { eventId: string }

function record(world: World, email: EmailName, notification: Feedback): Promise<FeedbackResult> {
  const { mail, eventId } = notification
  switch (notification.type) {
    case 'Delivery': {
      const { timestamp: at, recipients } = notification.delivery
      return recordDelivered(world, { email, at, recipients })
    }
    case 'Bounce':
      return recordBounced(world, email, notification.bounce)
    case 'Complaint':
      return recordComplained(world, email, notification.complaint)
    case 'Open':
      return recordReader(world, email, { eventId, link: null, userAgent: notification.open.userAgent })
    case 'Click':
      return recordReader(world, email, { eventId, ...notification.click })
    case 'Reject': {
      const reason = `Amazon SES refused to send it: ${notification.reject.reason || 'no reason given'}.`
      return recordRejection(world, { email, at: mail.timestamp, recipients: mail.destination, reason })
    }
  }
}

async function recordBounced(
  world: World,
  name: EmailName,
  { bounceType, bounceSubType, bouncedRecipients, timestamp }: SesBounce,
): Promise<FeedbackResult> {
  // Each copy may have an answer of its own.
  const email = bouncedRecipients.length > 1 ? await findReported(world, name) : null
  const own = email && bouncedRecipients.find(({ emailAddress }) => isNamed(email, [emailAddress]))
  const about = own ?? bouncedRecipients[0]
  const answer = parseReported(about?.status, about?.diagnosticCode)
  const said = about?.diagnosticCode ? sentenceOf(answer) : `${bounceType} bounce${bounceSubType && ` (${bounceSubType})`}`
  const recipients = bouncedRecipients.map(({ emailAddress }) => emailAddress)
  const feedback = { email: email ?? name, at: timestamp, recipients, reason: said }
  const passes = bounceType === 'Transient' || (bounceType === 'Undetermined' && meaningOf(answer, 1) !== 'unknown-address')
  if (!passes) return recordBounce(world, feedback)
  const isMailbox = bounceSubType === 'MailboxFull' || (bounceSubType === 'General' && isMailboxError(answer, 1))
  return recordTransientBounce(world, { ...feedback, mailbox: isMailbox })
}

async function recordComplained(
  world: World,
  email: EmailName,
  { timestamp, complainedRecipients, complaintFeedbackType }: Extract<SesNotification, { type: 'Complaint' }>['complaint'],
): Promise<FeedbackResult> {
  // Somebody has taken it out of their spam folder.
  if (complaintFeedbackType === 'not-spam') return 'unchanged'
  return recordComplaint(world, { email, at: timestamp, recipients: complainedRecipients.map(({ emailAddress }) => emailAddress) })
}

const maxLinkLength = 8_000

async function recordReader(
  world: World,
  name: EmailName,
  { eventId, link, userAgent }: Required<Pick<ReportedEngagement, 'eventId' | 'link' | 'userAgent'>>,
): Promise<FeedbackResult> {
  const email = await findReported(world, name)
  if (!email) return (await findRemoved(world, name)) ? 'unchanged' : 'unknown'
  if (email.contactDeleted) return 'unchanged'
  const target = link === null ? null : link.slice(0, maxLinkLength).toWellFormed().replaceAll('\0', '')
  await recordEngaged(world, { projectId: email.projectId, id: email.id, eventId, link: target, userAgent })
  return 'recorded'
}
