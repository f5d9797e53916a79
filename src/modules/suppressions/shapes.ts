import { z } from 'zod'
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
  search: z.string().max(254).optional().describe('A part of the address, in upper or lower case; `%` and `_` are not wildcards.'),
  reason: SuppressionReason.optional().describe('Only those with this reason.'),
})
/** Which suppressions a list holds. */
export type SuppressionFilter = z.output<typeof SuppressionFilter>

/** The query string of the suppression list. */
export const SuppressionSearch = CursorSearch.extend(SuppressionFilter.shape)
/** The query string of the suppression list. */
export type SuppressionSearch = z.output<typeof SuppressionSearch>

/** A page of the suppression list, by address. */
export const SuppressionPage = pageOf(Suppression).meta({ id: 'SuppressionPage' })

/** Addresses to put on the suppression list. */
export const SuppressionsDraft = z
  .object({
    emails: z.array(EmailAddress).min(1).max(1_000).describe('1 to 1,000 addresses.'),
    reason: SuppressionReason.optional().describe(`Default: MANUAL. ${reasons} A stronger reason replaces a weaker one.`),
  })
  .meta({ id: 'SuppressionsDraft', examples: [{ emails: ['ada@example.com'], reason: 'UNSUBSCRIBED' }] })
/** Addresses to put on the suppression list. */
export type SuppressionsDraft = z.output<typeof SuppressionsDraft>

/** How many of the addresses were not on the list before. */
export const SuppressionsAdded = z
  .object({
    added: z.number().int().describe('Addresses that were not on the list.'),
    alreadyThere: z.number().int().describe('Addresses that were, for this or another reason.'),
  })
  .meta({ id: 'SuppressionsAdded' })

/** An address in a path. */
export const BySuppressedEmail = z.object({ email: z.string().describe('An address, in any spelling.') })
