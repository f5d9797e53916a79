import { z } from 'zod'
import { asciiAddress, emailAddress } from './address.ts'
import { recordOf } from './bounded.ts'
import { whyUnstorable } from './unstorable.ts'

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A date and time, returned as ISO 8601 with milliseconds and Z. */
export const Timestamp = z
  .date()
  .meta({ format: 'date-time', description: 'ISO 8601 with milliseconds, UTC.', examples: ['2026-01-31T09:30:00.000Z'] })

const notAMoment = { error: 'must be an ISO 8601 date such as 2026-01-31 or 2026-01-31T09:30:00Z' }

const outOfTime = 'must be after 0001-01-01 and before 9998-12-31'
// In every zone: the edges are days of another year elsewhere.
const storableText = /^(?!0000|9999|0001-01-01|9998-12-31)/

/** A date and time as a caller sends it: ISO 8601, a date (its start in UTC) or a date and time with offset. */
export const Moment = z
  .union([z.iso.date(notAMoment), z.iso.datetime({ offset: true, ...notAMoment })], notAMoment)
  .refine((text) => storableText.test(text), { error: outOfTime, params: { code: 'invalid' } })
  .transform((text) => new Date(text))
  .meta({ format: 'date-time', pattern: storableText.source, examples: ['2026-01-31T09:30:00Z'] })

/** What refines arguments that are a range of days: its end is not before its begin. */
export const inOrder: [(range: { startDate?: unknown; endDate?: unknown }) => boolean, { path: string[]; error: string }] = [
  ({ startDate, endDate }) => startDate === undefined || endDate === undefined || Number(startDate) <= Number(endDate),
  { path: ['startDate'], error: 'must not be after endDate' },
]

/** Text that Postgres can store: well-formed and without NUL. */
export const Text = z
  .string()
  .refine((text) => whyUnstorable(text) === undefined, { error: ({ input }) => whyUnstorable(String(input)) ?? 'is not accepted' })

/** Text for a mail header: no CR or LF, with which a value could add another header (RFC 5322, 2.2), and no NUL. */
export const HeaderText = Text.refine((text) => !/[\r\n]/.test(text), { error: 'must not contain line breaks' }).meta({
  pattern: '^[^\\r\\n]*$',
})

/**
 * White space and what nothing is drawn for (most of Unicode's Default_Ignorable_Code_Point), such as a zero-width space, as they stand
 * between the brackets of a pattern.
 */
export const invisible =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'
const seen = new RegExp(`[^${invisible}]`)

/** What a name is checked by, which may not be without anything to see; one that is empty is refused as that. */
export const visible: [(text: string) => boolean, { error: string }] = [
  (text) => text === '' || seen.test(text),
  { error: 'must have a character that can be seen' },
]

/** A line of text of at most `max` characters as it is sent, trimmed, such as a name: not empty, and not without anything to see. */
export function line(max: number) {
  // The length first: what is published would not be exact, if white space beyond it were accepted.
  return HeaderText.max(max)
    .trim()
    .min(1)
    .refine(...visible)
    .meta({ pattern: `^[^\\r\\n]*[^${invisible}][^\\r\\n]*$` })
}

const notAnAddress = { error: 'must be an email address such as ada@example.com' }

// RFC 5322, 3.2.3.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"

/** An email address as `emailAddress` stores it: trimmed, lower-cased, an international domain in Unicode. */
export const EmailAddress = z
  .string(notAnAddress)
  .transform((text) => emailAddress(text) ?? '')
  .pipe(z.email({ pattern: /@/, ...notAnAddress }))
  .meta({
    description: 'An email address; trimmed and lower-cased. The Unicode and the ASCII spelling of a domain are the same address.',
    // With a Unicode domain (RFC 6531), which the format `email` would not allow.
    format: 'idn-email',
    pattern: `^\\s*${atom}(\\.${atom})*@[^\\s@]+[.\\u3002\\uff0e\\uff61][^\\s@]+\\s*$`,
    examples: ['ada@example.com'],
  })

/** The address of a sender, or one for replies: like EmailAddress, but with the domain in ASCII, as sender domains are stored. */
export const SenderAddress = EmailAddress.transform(asciiAddress).pipe(z.string())

// Checked by decoding, because a regular expression over megabytes would exhaust the stack. Node skips invalid characters.
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || /[-_\s]/.test(text)) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding
}

/** Bytes in base64 with padding and without line breaks (RFC 4648, 4). */
export const Base64 = z
  .string()
  .refine(isBase64, { error: 'must be base64 (RFC 4648, 4) with padding and without line breaks' })
  .meta({ contentEncoding: 'base64' })

// Checked by the rules for data, and written here for the API reference.
const DataKey = Text.meta({ minLength: 1, maxLength: 255 })

/**
 * The one key that custom data cannot have: in most languages that read JSON into objects, it sets what an object inherits from,
 * and is lost.
 */
export const refusedKey = '__proto__'

// Before the record, which drops the key without a word.
function refuseKey(data: unknown, ctx: z.RefinementCtx): unknown {
  if (typeof data === 'object' && data !== null && Object.hasOwn(data, refusedKey))
    ctx.addIssue({ code: 'custom', path: [refusedKey], message: 'must not be a key of custom data', params: { code: 'invalid_key' } })
  return data
}

/** Keys that custom data never has: they are fields of a contact, or made for each email. */
export const reservedKeys = ['id', 'plunk_id', 'plunk_email', 'email', 'unsubscribeUrl', 'subscribeUrl', 'manageUrl'] as const
/** Those keys, as a sentence has them, in Markdown. */
export const reservedText = `${reservedKeys
  .slice(0, -1)
  .map((key) => `\`${key}\``)
  .join(', ')} and \`${reservedKeys.at(-1)}\``

/** How many keys custom data may have. */
export const maxDataKeys = 500

const DataRecord = recordOf(DataKey, z.unknown(), { max: maxDataKeys })

/**
 * Custom data as callers send it: any JSON object without the key `__proto__`. Its values were parsed from JSON, so that checking them again would find
 * nothing, and takes a quarter of a second for one large body.
 */
export const CustomData = z.preprocess(refuseKey, DataRecord).meta({
  description: `Custom fields, patched key by key: null deletes a key, an empty string is ignored, \`{ "value": …, "persistent": false }\` is used for this call only. ${reservedText} are dropped, and \`__proto__\` is refused. At most 500 keys and 1 MB as JSON; a contact holds at most 500 keys and 128 KB.`,
  examples: [{ plan: 'pro', seats: 12 }],
})

/** The id in a path. Any text is accepted: one that is not the id of a resource of the project is a 404. */
export const ById = z.object({ id: z.string() })

/** The input of an operation that takes none. */
export const Nothing = z.object({})

/** The output of a call that answers nothing, whatever its operation returns. */
export const Empty = z.unknown().transform((): void => undefined)

/** A whole number of a query, from 1, that is written in decimal digits only: to coerce it alone would take `0x10`, `1e1` and ` 10` as well. */
export const wholeNumber = (max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && !/^\d{1,15}$/.test(value) ? Number.NaN : value),
    z.coerce
      .number({ error: `must be a whole number from 1 to ${max}` })
      .int({ error: `must be a whole number from 1 to ${max}` })
      .min(1, { error: 'must be at least 1' })
      .max(max, { error: `must be at most ${max}` }),
  )

const yes = ['true', '1', 'yes', 'on', 'y', 'enabled']
const no = ['false', '0', 'no', 'off', 'n', 'disabled']
const inAnyCase = (word: string): string => word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/** Yes or no as it stands in a query or a form, in any case. */
export const Flag = z
  .stringbool({ truthy: yes, falsy: no, error: 'must be true or false' })
  .meta({ pattern: `^(${[...yes, ...no].map(inAnyCase).join('|')})$`, examples: ['true'] })
