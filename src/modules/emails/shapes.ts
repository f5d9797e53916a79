import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { CursorSearch } from '../../kit/paging.ts'
import { Timestamp } from '../../kit/shapes.ts'

/** The states of a mail; `reason` says why one did not leave. */
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
])
export type EmailStatus = z.infer<typeof EmailStatus>

/** What a mail was sent by. */
export const EmailSource = z.enum(['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW'])
export type EmailSource = z.infer<typeof EmailSource>

/** The kind of a mail, which decides on footer, headers and whom it may reach. */
export const MailType = z.enum(['MARKETING', 'TRANSACTIONAL', 'HEADLESS'])
export type MailType = z.infer<typeof MailType>

/** A name and an address, as in a mail header. */
export const Mailbox = z.object({ email: z.string(), name: z.string().nullish() })
export type Mailbox = z.infer<typeof Mailbox>

/** One mail to one recipient, as lists and pages show it. */
export const Email = z.object({
  id: z.string(),
  contactId: z.string(),
  source: EmailSource,
  status: EmailStatus,
  toAddress: z.string(),
  toName: z.string().nullable(),
  subject: z.string(),
  reason: z.string().nullable(),
  attempts: z.int(),
  opens: z.int(),
  clicks: z.int(),
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

/** What mails can be searched by. */
export const EmailFilter = z.object({
  status: EmailStatus.optional().describe('Only mails in this state.'),
  contactId: z.string().optional().describe('Only mails to this contact.'),
})
/** What mails can be searched by. */
export type EmailFilter = z.infer<typeof EmailFilter>

/** The query of the list of mails. */
export const EmailSearch = CursorSearch.extend(EmailFilter.shape)
export type EmailSearch = z.infer<typeof EmailSearch>

/** Mails that are ready to leave, as pairs of project and email id. */
export const DeliverJob = z.object({ emails: z.array(z.tuple([z.string(), z.string()])) })
export type DeliverJob = z.infer<typeof DeliverJob>

/** Wakes a worker for new mails. The rows themselves are the truth: a lost job only costs the time until the next sweep. */
export const deliverQueue: Queue<DeliverJob> = {
  name: 'emails-deliver',
  shape: DeliverJob,
  hot: true,
  concurrency: 2,
  retries: 1,
  expireSeconds: 120,
}
