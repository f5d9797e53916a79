import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import { CsvText, maxListedErrors, RowError } from '../../kit/csv/shapes.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { EmailAddress, Timestamp } from '../../kit/shapes.ts'

/** Why an address is on the suppression list, from weak to strong. */
export const SuppressionReason = z.enum(['UNSUBSCRIBED', 'MANUAL', 'BOUNCE', 'COMPLAINT'])
/** Why an address is on the suppression list. */
export type SuppressionReason = z.output<typeof SuppressionReason>

/** What put an address on the suppression list. */
export const SuppressionSource = z.enum(['DELIVERY', 'API', 'IMPORT'])
/** What put an address on the suppression list. */
export type SuppressionSource = z.output<typeof SuppressionSource>

const reasons =
  '`UNSUBSCRIBED` withholds marketing emails, as for a contact that has opted out; `MANUAL`, `BOUNCE` and `COMPLAINT` withhold every email.'

/** An address that emails are withheld from. */
export const Suppression = z
  .object({
    email: z.string().meta({ format: 'idn-email', examples: ['ada@example.com'] }),
    reason: SuppressionReason.describe(reasons),
    source: SuppressionSource.describe('What put it on the list: the delivery of an email, a call, or a file.'),
    emailId: z.string().nullable().describe('Id of the email that bounced or was reported; null for none.'),
    since: Timestamp,
  })
  .meta({ id: 'Suppression', description: 'An address that emails are withheld from.' })
/** An address that emails are withheld from. */
export type Suppression = z.output<typeof Suppression>

/** Which suppressions a list holds. */
export const SuppressionFilter = z.object({
  search: z
    .string()
    .max(254)
    .optional()
    .describe('A part of the address, at most 254 characters, in upper or lower case; `%` and `_` are not wildcards.'),
  reasons: listOf(SuppressionReason, { min: 1, max: 10 }).optional().describe('Only those with one of these reasons.'),
})
/** Which suppressions a list holds. */
export type SuppressionFilter = z.output<typeof SuppressionFilter>

/** The query string of the suppression list: what of SuppressionFilter is written in a URL. */
export const SuppressionSearch = CursorSearch.extend({
  search: SuppressionFilter.shape.search,
  reason: SuppressionReason.optional().describe('Only those with this reason.'),
})
/** The query string of the suppression list. */
export type SuppressionSearch = z.output<typeof SuppressionSearch>

/** A page of the suppression list, by address. */
export const SuppressionPage = pageOf(Suppression).meta({ id: 'SuppressionPage' })

/** Addresses to put on the suppression list. */
export const SuppressionsDraft = z
  .object({
    emails: listOf(EmailAddress, { min: 1, max: 1_000 }).describe('1 to 1,000 addresses.'),
    reason: SuppressionReason.optional().describe(`Default: MANUAL. ${reasons} A stronger reason replaces a weaker one.`),
  })
  .meta({ id: 'SuppressionsDraft', examples: [{ emails: ['ada@example.com'], reason: 'UNSUBSCRIBED' }] })
/** Addresses to put on the suppression list. */
export type SuppressionsDraft = z.output<typeof SuppressionsDraft>

/** How many of the addresses were not on the list before, and what is wrong with rows of a file. */
export const SuppressionsAdded = z
  .object({
    added: z.number().int().describe('Addresses that were not on the list.'),
    alreadyThere: z
      .number()
      .int()
      .describe('Addresses that were, for this or another reason; of a file also those that an earlier row added.'),
    errors: z
      .array(RowError)
      .optional()
      .describe(`Of a file the first ${maxListedErrors} rows with an error, which changed nothing; left out without any.`),
    errorsOmitted: z.number().int().optional().describe('How many more rows have an error; left out without any.'),
  })
  .meta({ id: 'SuppressionsAdded' })
/** How many of the addresses were not on the list before, and what is wrong with rows of a file. */
export type SuppressionsAdded = z.output<typeof SuppressionsAdded>

/** A CSV file of addresses in base64, for entry points without forms. */
export const SuppressionsText = CsvText.extend({
  reason: SuppressionReason.optional().describe('The reason for rows that have none of their own. Default: MANUAL.'),
})

/** A CSV file of addresses. The entry point has read the form and ensured that it has a file. */
export const SuppressionsForm = z.object({ file: z.custom<{ bytes: Buffer }>() })

/** The suppression list as CSV. */
export const SuppressionsCsv = z.string().meta({
  id: 'SuppressionsCsv',
  examples: ['email,reason,source,since\r\nada@example.com,BOUNCE,DELIVERY,2026-01-31T09:30:00.000Z\r\n'],
})

/** An address in a path. */
export const BySuppressedEmail = z.object({ email: z.string().describe('An address, in any spelling.') })
