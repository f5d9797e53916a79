import { z } from 'zod'
import { CustomData, EmailAddress, HeaderText, Text, Timestamp } from '../../../kit/shapes.ts'

const mostRecipients = 1_000
const mostCopies = 50
const mostHeaders = 50

const name = HeaderText.max(255)

/** An address with the name shown beside it. */
const Named = z
  .object({ name: name.optional().describe('Shown beside the address; not stored.'), email: EmailAddress })
  .meta({ id: 'Mailbox', description: 'An address with the name shown beside it.' })

/** A recipient or sender: an address, or an address with a name. */
const Party = z
  .union([EmailAddress, Named])
  .transform((party) => (typeof party === 'string' ? { email: party, name: null } : { email: party.email, name: party.name ?? null }))

const forbidden =
  /^(from|sender|to|cc|bcc|subject|date|message-id|return-path|received|dkim-signature|mime-version|arc-.*|content-.*|resent-.*|x-ses-.*)$/i

const HeaderName = z
  .string()
  .regex(/^[!-9;-~]{1,76}$/, { error: 'is no header name: use 1 to 76 printable ASCII characters without colon or space' })
  .refine((header) => !forbidden.test(header), { error: 'is set by the platform and cannot be given' })
  .describe('A header name: 1 to 76 printable ASCII characters without colon or space. Headers that the platform sets are refused.')

const HeaderValue = HeaderText.max(998).describe('Up to 998 characters without line breaks.')

/** Header names and values of a mail; a Reply-To must be an address. */
const Headers = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= mostHeaders, { error: `must be at most ${mostHeaders} headers` })
  .refine(
    (headers) => Object.entries(headers).every(([header, value]) => !/^reply-to$/i.test(header) || EmailAddress.safeParse(value).success),
    {
      error: 'must have an email address as Reply-To',
    },
  )

// By decoding: a pattern over megabytes would exhaust the stack. Node skips what is not base64, so bytes are missing then.
function isBase64(content: string): boolean {
  if (content.length % 4 !== 0 || /[-_\s]/.test(content)) return false
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0
  return Buffer.from(content, 'base64').length === (content.length / 4) * 3 - padding
}

/** How a mail program shows an attachment. */
export const Disposition = z.enum(['attachment', 'inline'])

/** A file to send along. */
const AttachmentDraft = z
  .object({
    filename: HeaderText.min(1)
      .max(255)
      .refine((file) => !/["\\/]/.test(file), { error: 'must not contain quotes or slashes' })
      .describe('The name it is shown under: 1 to 255 characters without quotes and slashes.'),
    content: z.string().min(1).refine(isBase64, { error: 'must be base64' }).describe('The file in base64 (RFC 4648, 4).'),
    contentType: HeaderText.regex(/^[\w.+-]{1,127}\/[\w.+-]{1,127}$/, { error: 'must be a media type such as application/pdf' }).describe(
      'Its media type, such as `application/pdf`.',
    ),
    contentId: HeaderText.min(1)
      .max(255)
      .regex(/^[^<>\s]+$/, { error: 'must not contain spaces or angle brackets' })
      .optional()
      .describe('For `cid:` links in the body; required when inline.'),
    disposition: Disposition.optional().describe('Listed as a file, or shown where the body links to its contentId. Default: attachment.'),
  })
  .refine((file) => file.disposition !== 'inline' || file.contentId !== undefined, {
    error: 'is required for an inline attachment',
    path: ['contentId'],
  })
  .meta({ id: 'Attachment', description: 'A file to send along.' })

/** What is sent, and to whom. */
export const SendDraft = z
  .object({
    to: z
      .union([Party, z.array(Party).min(1).max(mostRecipients)])
      .transform((to) => (Array.isArray(to) ? to : [to]))
      .describe('1 to 1,000 recipients; each gets a mail of its own.'),
    subject: HeaderText.min(1)
      .max(998)
      .optional()
      .describe('1 to 998 characters on one line; a Liquid template. Required without a template.'),
    body: Text.min(1).optional().describe('HTML; a Liquid template. Required without a template.'),
    text: Text.min(1).optional().describe('Plain text part; made of the HTML when it is not given.'),
    template: z
      .string()
      .optional()
      .describe('Id of a template that supplies subject, body, from and reply-to; what is given here overrides it.'),
    from: Party.optional().describe('Sender on a verified domain. Required unless the template has one.'),
    name: name.optional().meta({ deprecated: true, description: 'Sender name when `from` is a string; use `from.name`.' }),
    subscribed: z
      .boolean()
      .optional()
      .describe('New contact: default false. Existing contact: omitted keeps the state; a change is logged.'),
    data: CustomData.optional(),
    headers: Headers.optional().describe('Extra headers, at most 50; values up to 998 characters without line breaks.'),
    reply: EmailAddress.optional().describe('Reply-to address.'),
    cc: z.array(Party).max(mostCopies).optional().describe('Only with a single recipient; cc and bcc together at most 50.'),
    bcc: z.array(Party).max(mostCopies).optional().describe('Only with a single recipient; never shown to the others.'),
    attachments: z.array(AttachmentDraft).max(10).optional().describe('At most 10, together at most 10 MB decoded by default.'),
    tracking: z.boolean().optional().describe('Opens and clicks of this mail; omitted: as the project is set.'),
    tags: z.array(HeaderText.min(1).max(64)).max(10).optional().describe('Labels for your own use, at most 10.'),
  })
  .refine((draft) => draft.template !== undefined || draft.subject !== undefined, {
    error: 'is required without a template',
    path: ['subject'],
    params: { code: 'required' },
  })
  .refine((draft) => draft.template !== undefined || draft.body !== undefined, {
    error: 'is required without a template',
    path: ['body'],
    params: { code: 'required' },
  })
  .refine((draft) => (draft.cc ?? draft.bcc) === undefined || draft.to.length === 1, {
    error: 'can only be given with a single recipient',
    path: ['cc'],
  })
  .refine((draft) => (draft.cc?.length ?? 0) + (draft.bcc?.length ?? 0) <= mostCopies, {
    error: `and bcc together must be at most ${mostCopies}`,
    path: ['cc'],
  })
  .meta({
    id: 'SendDraft',
    examples: [
      {
        to: 'ada@example.com',
        from: 'hello@demo.test',
        subject: 'Welcome, {{name ?? "friend"}}',
        body: '<p>Hello</p>',
        data: { name: 'Ada' },
      },
    ],
  })
/** What is sent, and to whom. */
export type SendDraft = z.output<typeof SendDraft>

/** The mails that were accepted, in the order of `to`; they are durable and on their way. */
export const SendResult = z
  .object({
    emails: z.array(z.object({ contact: z.object({ id: z.string(), email: z.string() }), email: z.string().describe('Id of the mail.') })),
    timestamp: Timestamp,
  })
  .meta({ id: 'SendResult' })
/** The mails that were accepted. */
export type SendResult = z.output<typeof SendResult>
