import { z } from 'zod'

/** A moment, answered as ISO 8601 with milliseconds and Z. */
export const Timestamp = z
  .date()
  .meta({ format: 'date-time', description: 'ISO 8601 with milliseconds, UTC.', examples: ['2026-01-31T09:30:00.000Z'] })

/** A moment as a caller writes it: ISO 8601, a day (then its start in UTC) or a full time with offset. */
export const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be an ISO 8601 date such as 2026-01-31 or 2026-01-31T09:30:00Z' })
  .transform((text) => new Date(text))
  .meta({ format: 'date-time', examples: ['2026-01-31T09:30:00Z'] })

/** Text without NUL, which Postgres cannot store. */
export const Text = z.string().refine((text) => !text.includes('\0'), { error: 'must not contain NUL characters' })

/** Text for a mail header: no CR, LF or NUL, which would let a value start a header of its own (RFC 5322, 2.2). */
export const HeaderText = Text.refine((text) => !/[\r\n]/.test(text), { error: 'must not contain line breaks' })

const address = z.email({ error: 'must be an email address such as ada@example.com' })

/** An email address, trimmed and lower-cased before anything else. */
export const EmailAddress = z
  .string({ error: 'must be an email address such as ada@example.com' })
  .transform((text) => text.trim().toLowerCase())
  .pipe(address.max(254, { error: 'must be at most 254 characters (RFC 5321, 4.5.3.1.3)' }))
  .meta({ description: 'An email address; trimmed and lower-cased.', format: 'email', examples: ['ada@example.com'] })

/** Custom data as sent: any JSON object. */
export const CustomData = z.record(Text, z.json(), { error: 'must be an object' }).meta({
  description:
    'Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. Reserved keys are dropped.',
  examples: [{ plan: 'pro', seats: 12 }],
})

/** The id of a path. Any spelling may be asked for: what is no resource of the project is a 404. */
export const ById = z.object({ id: z.string() })

/** Nothing is taken. */
export const Nothing = z.object({})

/** No body is answered. */
export const Empty = z.void()
