import { z } from 'zod'
import { CursorSearch, pageOf } from '../../../kit/paging.ts'
import { Timestamp } from '../../../kit/shapes.ts'
import { EmailStatus } from '../../emails/shapes.ts'

/**
 * What became of a contact of the audience: the state of the email as it is stored, or that there is none. An email that is being sent
 * is stored as PENDING, and one that came in is of no campaign.
 */
export const RecipientOutcome = z.enum([...EmailStatus.exclude(['SENDING', 'RECEIVED']).options, 'EXCLUDED'])
/** What became of a contact of the audience. */
export type RecipientOutcome = z.output<typeof RecipientOutcome>

/** A contact of the audience of a campaign. */
export const Recipient = z
  .object({
    contactId: z.string(),
    email: z.string().describe('The address; of an email, the one it was sent to.'),
    emailId: z.string().nullable().describe('The email; null for a contact that was excluded.'),
    outcome: RecipientOutcome,
    reason: z.string().nullable().describe('Why it was not sent, or why a contact was excluded; null otherwise.'),
    sentAt: Timestamp.nullable(),
    openedAt: Timestamp.nullable(),
    clickedAt: Timestamp.nullable(),
  })
  .meta({ id: 'CampaignRecipient' })
/** A contact of the audience of a campaign. */
export type Recipient = z.output<typeof Recipient>

/** Which recipients of a campaign a list holds. */
export const RecipientFilter = z.object({
  outcome: RecipientOutcome.optional().describe('Only those with this outcome. Default: all who have an email; EXCLUDED lists the others.'),
})

const byPeople = 'what programs do, such as mail scanners, does not count as far as can be told. Not with EXCLUDED.'

/** Which recipients of a campaign a list in GraphQL holds. */
export const RecipientListFilter = RecipientFilter.extend({
  opened: z.boolean().optional().describe(`Only those who have, or have not, opened their email: ${byPeople}`),
  clicked: z.boolean().optional().describe(`Only those who have, or have not, followed a link in their email: ${byPeople}`),
}).superRefine(({ outcome, ...by }, ctx) => {
  for (const [name, value] of Object.entries(by))
    if (outcome === 'EXCLUDED' && value !== undefined)
      ctx.addIssue({
        code: 'custom',
        path: [name],
        message: 'must not be given with EXCLUDED: they have no email',
        params: { code: 'invalid' },
      })
})
/** Which recipients of a campaign a list in GraphQL holds. */
export type RecipientListFilter = z.output<typeof RecipientListFilter>

/** The query of the recipients of a campaign. */
export const RecipientSearch = CursorSearch.extend(RecipientFilter.shape).extend({ id: z.string() })
/** The query of the recipients of a campaign. */
export type RecipientSearch = z.output<typeof RecipientSearch>

/** A page of the recipients of a campaign, in the order of their contacts. */
export const RecipientPage = pageOf(Recipient).meta({ id: 'CampaignRecipientPage' })

/** The recipients of a campaign as CSV. */
export const RecipientsCsv = z.string().meta({
  id: 'CampaignRecipientsCsv',
  examples: [
    'email,contactId,emailId,outcome,reason,sentAt,openedAt,clickedAt\r\nada@example.com,cnt_01m7y3mwcpfqhrhzca2e1aqg79,eml_01m7y3mwcpfqhrhzca2e1aqg7a,SENT,,2026-01-31T09:30:00.000Z,,\r\n',
  ],
})
