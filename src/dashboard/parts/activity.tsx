import type { ActivityItemFragment, ActivityType } from '../graphql/graphql.ts'
import { titleOf } from './email-subject.ts'
import type { Tone } from './state.tsx'

/** What people call the types of activity, in the order in which filters list them, and how each is coloured. */
export const activityTypes: Record<ActivityType, { label: string; tone: Tone }> = {
  EMAIL_SENT: { label: 'Sent', tone: 'neutral' },
  EMAIL_DELIVERED: { label: 'Delivered', tone: 'good' },
  EMAIL_OPENED: { label: 'Opened', tone: 'info' },
  EMAIL_CLICKED: { label: 'Clicked', tone: 'info' },
  EMAIL_BOUNCED: { label: 'Bounced', tone: 'bad' },
  EMAIL_COMPLAINT: { label: 'Complaint', tone: 'bad' },
  EMAIL_FAILED: { label: 'Failed', tone: 'bad' },
  EMAIL_COPY_FAILED: { label: 'Copy failed', tone: 'bad' },
  EMAIL_RECEIVED: { label: 'Received', tone: 'neutral' },
  EVENT_TRIGGERED: { label: 'Event', tone: 'neutral' },
  CONTACT_SUBSCRIBED: { label: 'Subscribed', tone: 'good' },
  CONTACT_UNSUBSCRIBED: { label: 'Unsubscribed', tone: 'warn' },
  CAMPAIGN_SCHEDULED: { label: 'Campaign scheduled', tone: 'neutral' },
  CAMPAIGN_SENT: { label: 'Campaign sent', tone: 'good' },
  WORKFLOW_STARTED: { label: 'Workflow started', tone: 'neutral' },
  WORKFLOW_COMPLETED: { label: 'Workflow completed', tone: 'good' },
  WORKFLOW_EMAIL_SCHEDULED: { label: 'Workflow email', tone: 'neutral' },
}

/** The types themselves, for addresses and filters. */
export const activityTypeNames = Object.keys(activityTypes) as ActivityType[]

/** What an item is about, in a few words: the event, the subject, the link, the campaign or the workflow. */
export function subjectOf({ type, metadata, email, campaign, execution }: ActivityItemFragment): string {
  const facts = (metadata ?? {}) as Record<string, unknown>
  // What waits or has failed may not have been rendered.
  const status = type === 'EMAIL_FAILED' || type === 'WORKFLOW_EMAIL_SCHEDULED' ? 'PENDING' : 'SENT'
  const title = email?.subject && titleOf({ subject: email.subject, status })
  const reason = typeof facts.copy === 'string' ? `${facts.copy}: ${facts.reason}` : facts.reason
  const candidates = [facts.eventName, facts.link, reason, title, facts.subject, campaign?.name, execution?.workflow?.name]
  return candidates.find((one): one is string => typeof one === 'string' && one !== '') ?? ''
}

/** Whether a program did it, such as a mail scanner: it opened or clicked, and nobody has read it. */
export function isMachine({ metadata }: ActivityItemFragment): boolean {
  return (metadata as { bot?: unknown } | null)?.bot === true
}
