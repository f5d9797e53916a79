import { z } from 'zod'

/** The answer to a call that was handled. */
export const SnsHandled = z.object({ success: z.literal(true) }).meta({ id: 'SnsHandled' })

// What is signed is these fields, each in a line of its own: a line break would be the beginning of another field. Postgres stores no NUL.
const Line = z
  .string()
  .max(2_000)
  .regex(/^[^\r\n\0]*$/)

/** A message of Amazon SNS, with the fields that are signed. */
export const SnsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: Line.min(1).max(100),
  TopicArn: Line,
  Message: z.string(),
  Timestamp: z.iso.datetime({ offset: true }).max(40),
  SignatureVersion: z.enum(['1', '2']),
  Signature: Line,
  SigningCertURL: Line,
  Subject: Line.nullish(),
  Token: Line.nullish(),
  SubscribeURL: Line.nullish(),
})
/** A message of Amazon SNS, with the fields that are signed. */
export type SnsMessage = z.output<typeof SnsMessage>

const At = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const Address = z.string().max(1_000)
const MailHeader = z.object({ name: z.string(), value: z.string() })

/** The email that a notification of Amazon SES is about, as it was sent or received. */
export const SesMail = z.object({
  timestamp: At,
  messageId: z.string().max(200).optional(),
  source: Address.optional(),
  destination: z.array(Address).default([]),
  headers: z.array(MailHeader).default([]),
  commonHeaders: z
    .object({ messageId: z.string(), from: z.array(z.string()), to: z.array(z.string()), subject: z.string() })
    .partial()
    .default({}),
  tags: z.record(z.string(), z.array(z.string())).default({}),
})
/** The email that a notification of Amazon SES is about. */
export type SesMail = z.output<typeof SesMail>

const Verdict = z.object({ status: z.string().max(50) }).optional()

/** Email that Amazon SES has received, and what it thinks of it. */
export const SesReceipt = z.object({
  timestamp: At,
  processingTimeMillis: z.number().nullish(),
  recipients: z.array(Address).default([]),
  spamVerdict: Verdict,
  virusVerdict: Verdict,
  spfVerdict: Verdict,
  dkimVerdict: Verdict,
  dmarcVerdict: Verdict,
  action: z.object({ encoding: z.string().nullish() }).optional(),
})
/** Email that Amazon SES has received, and what it thinks of it. */
export type SesReceipt = z.output<typeof SesReceipt>

const BouncedRecipient = z.object({ emailAddress: Address, status: z.string().optional(), diagnosticCode: z.string().optional() })

/** A bounce as Amazon SES reports it. */
export const SesBounce = z.object({
  bounceType: z.string(),
  bounceSubType: z.string().default(''),
  bouncedRecipients: z.array(BouncedRecipient).default([]),
  timestamp: At,
})
/** A bounce as Amazon SES reports it. */
export type SesBounce = z.output<typeof SesBounce>

/**
 * What Amazon SES reports. Notifications of an identity name their kind in `notificationType`, events of a configuration set in
 * `eventType`; apart from that both are the same.
 */
export const SesNotification = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Delivery'), mail: SesMail, delivery: z.object({ timestamp: At, recipients: z.array(Address).default([]) }) }),
  z.object({ type: z.literal('Bounce'), mail: SesMail, bounce: SesBounce }),
  z.object({
    type: z.literal('Complaint'),
    mail: SesMail,
    complaint: z.object({
      timestamp: At,
      complainedRecipients: z.array(z.object({ emailAddress: Address })).default([]),
      complaintFeedbackType: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal('Open'), mail: SesMail, open: z.object({ userAgent: z.string().default('') }) }),
  z.object({ type: z.literal('Click'), mail: SesMail, click: z.object({ userAgent: z.string().default(''), link: z.string() }) }),
  z.object({ type: z.literal('Received'), mail: SesMail, receipt: SesReceipt, content: z.string().nullish() }),
  z.object({ type: z.literal('Reject'), mail: SesMail, reject: z.object({ reason: z.string().default('') }) }),
])
/** What Amazon SES reports. */
export type SesNotification = z.output<typeof SesNotification>
