import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import type { Queue } from '../../kit/jobs.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { Text, Timestamp } from '../../kit/shapes.ts'
import { Place } from '../../kit/walk.ts'

/** The states of an email; its `reason` says why it was not sent. */
export const EmailStatus = z.enum([
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'CANCELLED',
  'SUPPRESSED',
  'REJECTED',
  'RECEIVED',
])
export type EmailStatus = z.infer<typeof EmailStatus>

/** What caused an email to be sent, or that it came in. */
export const EmailSource = z.enum(['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'INBOUND'])
export type EmailSource = z.infer<typeof EmailSource>

/** An address with an optional name, as it is stored and written into a header field (RFC 5322, 3.4). */
export const NamedAddress = z.object({ email: z.string(), name: z.string().nullish() })
export type NamedAddress = z.infer<typeof NamedAddress>

/** One email to one recipient, as lists return it. */
export const Email = z.object({
  id: z.string(),
  contactId: z.string(),
  campaignId: z.string().nullable().describe('The campaign it is of; null where there is none.'),
  source: EmailSource,
  status: EmailStatus,
  toAddress: z.string(),
  toName: z.string().nullable(),
  subject: z.string(),
  reason: z.string().nullable(),
  attempts: z.int(),
  opens: z.int(),
  clicks: z.int(),
  machineOpens: z.int(),
  machineClicks: z.int(),
  sentAt: Timestamp.nullable(),
  deliveredAt: Timestamp.nullable(),
  openedAt: Timestamp.nullable(),
  clickedAt: Timestamp.nullable(),
  bouncedAt: Timestamp.nullable(),
  complainedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Email = z.infer<typeof Email>

/** An event of the timeline of an email. */
const EmailEvent = z.object({
  id: z.string(),
  name: z.string().meta({ examples: ['email.sent'] }),
  data: z.unknown(),
  createdAt: Timestamp,
})

/** One email with its timeline. */
export const EmailWithEvents = Email.extend({
  events: z.array(EmailEvent).describe('What happened to it, oldest first, at most 100 events.'),
}).meta({ id: 'EmailWithEvents' })

/** A page of emails, newest first. */
export const EmailPage = pageOf(Email).meta({ id: 'EmailPage' })

/** The conditions of a list of emails. */
export const EmailFilter = z.object({
  status: EmailStatus.optional().describe('Only emails in this state.'),
  contactId: z.string().optional().describe('Only emails to this contact.'),
  campaignId: z.string().optional().describe('Only emails of this campaign.'),
})
/** The conditions of a list of emails. */
export type EmailFilter = z.infer<typeof EmailFilter>

// As many as a list compares one by one for a page.
const comparedText =
  'A page is found among 20,000 emails: where it is shorter than asked for, or empty, and another follows, go on from its cursor. `totalCount` may read all emails of the project.'

/** The conditions of a list of emails in GraphQL. */
export const EmailListFilter = EmailFilter.omit({ status: true }).extend({
  statuses: listOf(EmailStatus, { min: 1, max: EmailStatus.options.length }).optional().describe('Only emails in one of these states.'),
  search: Text.trim()
    .max(200)
    .optional()
    .describe(
      'Only emails to contacts whose address contains this, at most 200 characters, ignoring case; `%` and `_` are not wildcards. Of more than 1,000 such contacts the newest count.',
    ),
  executionId: z.string().optional().describe('Only emails that this execution of a workflow has sent.'),
  sources: listOf(EmailSource, { min: 1, max: EmailSource.options.length })
    .optional()
    .describe(`Only emails that were caused by one of these. ${comparedText}`),
  templateId: z
    .string()
    .optional()
    .describe(`Only emails that were made from this template and whose content has not been removed. ${comparedText}`),
  createdFrom: z.date().optional().describe('Only emails accepted at or after this moment.'),
  createdTo: z.date().optional().describe('Only emails accepted before this moment.'),
})
/** The conditions of a list of emails in GraphQL. */
export type EmailListFilter = z.infer<typeof EmailListFilter>

/** What an email waits for. */
export const EmailWait = z.enum(['CAMPAIGN', 'DOMAIN', 'SENDER', 'TRANSPORT', 'WARM_UP'])
export type EmailWait = z.infer<typeof EmailWait>

/** The query of the list of emails. */
export const EmailSearch = CursorSearch.extend(EmailFilter.shape)
export type EmailSearch = z.infer<typeof EmailSearch>

/** What emails are sent by, from most to least urgent; the position is the number in the database. */
export const lanes = ['transactional', 'workflow', 'campaign'] as const
/** A lane is claimed before the ones after it, and has places, memory and connections that they cannot take. */
export type Lane = (typeof lanes)[number]

/** Projects that have emails to deliver, each with the lane. */
export const DeliverJob = z.object({ turns: z.array(z.tuple([z.string(), z.enum(lanes)])) })
export type DeliverJob = z.infer<typeof DeliverJob>

/** Wakes a worker for new emails. The queue table decides what is delivered: a lost job only delays it until the next sweep. */
export const deliverQueue: Queue<DeliverJob> = {
  name: 'emails-deliver',
  shape: DeliverJob,
  hot: true,
  concurrency: 2,
  retries: 1,
  expireSeconds: 120,
}

/** Removes old contents, from a place on. */
export const contentRetentionQueue: Queue<Place> = { name: 'emails-retention', shape: Place }
