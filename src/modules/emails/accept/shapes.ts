import { z } from 'zod'
import { asciiAddress } from '../../../kit/address.ts'
import { listOf, recordOf } from '../../../kit/bounded.ts'
import { Base64, CustomData, EmailAddress, HeaderText, SenderAddress, Text, Timestamp } from '../../../kit/shapes.ts'
import { PreviewText } from '../../templates/shapes.ts'

const maxRecipients = 1_000
const maxCopies = 50
const maxHeaders = 50

const name = HeaderText.max(255)

/** An address with the name that mail programs show for it. */
const NamedAddressDraft = z
  .object({ name: name.optional().describe('The name mail programs show for the address, at most 255 characters.'), email: EmailAddress })
  .meta({ id: 'NamedAddress', description: 'An address with the name that mail programs show for it.' })

/** A recipient or sender: an address, or an address with a name. */
const Address = z
  .union([EmailAddress, NamedAddressDraft])
  .transform((given) => (typeof given === 'string' ? { email: given, name: null } : { email: given.email, name: given.name ?? null }))

/** A sender: its domain is compared with the domains of the project, which are stored in ASCII. */
const Sender = Address.transform(({ email, name }) => ({ email: asciiAddress(email), name }))

const forbidden =
  /^(from|sender|to|cc|bcc|subject|date|message-id|return-path|received|dkim-signature|mime-version|arc-.*|content-.*|resent-.*|x-ses-.*)$/i

const HeaderName = z
  .string()
  .regex(/^[!-9;-~]{1,76}$/, { error: 'is not a valid header name: use 1 to 76 printable ASCII characters without colon or space' })
  .refine((header) => !forbidden.test(header), { error: 'is set by the platform and cannot be given' })
  .describe('A header name: 1 to 76 printable ASCII characters without colon or space. Headers that the platform sets are refused.')

const HeaderValue = HeaderText.max(998).describe('Up to 998 characters without line breaks.')

// A header is sent as it is given.
const isAsciiAddress = (value: string): boolean => /^[\x20-\x7e]*$/.test(value) && EmailAddress.safeParse(value).success

/** Additional headers of an email, by name, each once; the value of Reply-To must be an address. */
const Headers = recordOf(HeaderName, HeaderValue, { max: maxHeaders })
  .refine((headers) => Object.entries(headers).every(([header, value]) => !/^reply-to$/i.test(header) || isAsciiAddress(value)), {
    error: 'must have an email address as the value of Reply-To',
  })
  .refine((headers) => new Set(Object.keys(headers).map((header) => header.toLowerCase())).size === Object.keys(headers).length, {
    error: 'must have each name once: `Reply-To` and `reply-to` are one header',
  })

/** How a mail program shows an attachment. */
export const Disposition = z.enum(['attachment', 'inline'])

/** A file to send with an email. */
const AttachmentDraft = z
  .object({
    filename: HeaderText.min(1)
      .max(255)
      .refine((file) => !/["\\/]/.test(file), { error: 'must not contain quotes or slashes' })
      .meta({ pattern: '^[^\\r\\n"\\\\/]*$' })
      .describe('The name it is shown under: 1 to 255 characters without quotes and slashes.'),
    content: Base64.min(1).describe('The file in base64 (RFC 4648, 4).'),
    contentType: z
      .string()
      .max(255)
      .regex(/^[\w.+-]{1,127}\/[\w.+-]{1,127}$/, { error: 'must be a media type such as application/pdf' })
      .describe('Its media type, such as `application/pdf`.'),
    // The characters of a message id (RFC 5322, 3.6.4) that mean the same in a `cid:` link (RFC 2392): without %, # and ?.
    contentId: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\w!$&'*+\-/=^`{|}~.@]+$/, { error: "must consist of ASCII letters, digits and the characters .@_-+=/!$&'*^`{|}~" })
      .optional()
      .describe(
        'The id that `cid:` links in the body refer to, such as `logo@example.com`; required for an inline attachment. ASCII without spaces, quotes, brackets, `%`, `#` and `?`.',
      ),
    disposition: Disposition.optional().describe(
      '`attachment`: listed as a file. `inline`: shown where the body refers to its `contentId`. Default: attachment.',
    ),
  })
  .refine((file) => file.disposition !== 'inline' || file.contentId !== undefined, {
    error: 'is required for an inline attachment',
    path: ['contentId'],
  })
  .meta({
    id: 'Attachment',
    description: 'A file to send along.',
    anyOf: [{ properties: { disposition: { const: 'attachment' } } }, { required: ['contentId'] }],
  })

/** An email to send, and its recipients. */
export const SendDraft = z
  .object({
    to: z
      .union([Address, listOf(Address, { min: 1, max: maxRecipients })])
      .transform((to) => (Array.isArray(to) ? to : [to]))
      .describe(
        '1 to 1,000 recipients. Each receives an email of their own and does not see the others. Where `data` is stored, their contacts hold at most 8 MB of data together, with what each of them gets.',
      ),
    subject: HeaderText.min(1)
      .max(998)
      .optional()
      .describe('The subject line: a Liquid template on one line of 1 to 998 characters. Required without a template.'),
    previewText: PreviewText.nullable()
      .optional()
      .describe(
        'What mail programs show beside the subject: a Liquid template on one line of 1 to 200 characters, hidden in the body. Default: that of the template; null for none.',
      ),
    body: Text.min(1).optional().describe('The HTML body: a Liquid template. Required without a template.'),
    text: Text.min(1).optional().describe('The plain text body: a Liquid template. Default: made from the HTML body.'),
    template: z
      .string()
      .optional()
      .describe('Id of a template that supplies subject, preview text, body, sender and reply-to address. Fields given here override it.'),
    from: Sender.optional().describe('The sender, on a verified domain. Required without a template.'),
    name: name.optional().meta({ deprecated: true, description: 'The sender’s name when `from` is a string; use `from.name` instead.' }),
    subscribed: z
      .boolean()
      .optional()
      .describe(
        'Whether the recipients are subscribed to marketing emails. Default: false for a new contact, unchanged for an existing one. `false` unsubscribes one that is subscribed; one that never was has not opted out by it. A change is logged.',
      ),
    data: CustomData.optional(),
    headers: Headers.optional().describe('Additional headers, at most 50, each with a value of up to 998 characters without line breaks.'),
    reply: SenderAddress.optional().describe('The address replies go to.'),
    cc: listOf(Address, { max: maxCopies })
      .optional()
      .describe(
        'Addresses that receive a copy, only with a single recipient; at most 50 together with `bcc`. One that the mail server puts off is attempted again by itself; one that it refuses is logged as `email.copy.failed`.',
      ),
    bcc: listOf(Address, { max: maxCopies })
      .optional()
      .describe('Addresses that receive a hidden copy, only with a single recipient; at most 50 together with `cc`.'),
    attachments: listOf(AttachmentDraft, { max: 10 })
      .optional()
      .describe('At most 10 files; together at most 10 MB decoded, unless the installation sets another limit.'),
    tracking: z.boolean().optional().describe('Whether opens and clicks of this email are tracked. Default: the setting of the project.'),
    tags: listOf(HeaderText.min(1).max(64), { max: 10 })
      .optional()
      .describe('Labels for your own use: at most 10, each of 1 to 64 characters.'),
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
  .refine((draft) => (draft.cc?.length ?? 0) + (draft.bcc?.length ?? 0) <= maxCopies, {
    error: `and bcc together must be at most ${maxCopies}`,
    path: ['cc'],
  })
  .meta({
    id: 'SendDraft',
    anyOf: [{ required: ['template'] }, { required: ['subject', 'body', 'from'] }],
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
/** An email to send, and its recipients. */
export type SendDraft = z.output<typeof SendDraft>

/** The accepted emails, in the order of `to`; they are stored and will be delivered. */
export const SendResult = z
  .object({
    emails: z.array(z.object({ contact: z.object({ id: z.string(), email: z.string() }), email: z.string().describe('Id of the email.') })),
    timestamp: Timestamp,
  })
  .meta({ id: 'SendResult' })
/** The accepted emails. */
export type SendResult = z.output<typeof SendResult>
