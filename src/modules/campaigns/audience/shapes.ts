import { z } from 'zod'

const count = (text: string) => z.int().describe(text)

/** Why a contact of the audience is not sent a campaign. */
export const ExclusionReason = z.enum(['UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED', 'SUPPRESSED'])
/** Why a contact of the audience is not sent a campaign. */
export type ExclusionReason = z.output<typeof ExclusionReason>

/** The same for people: sentences. */
export const exclusionSentences: Record<ExclusionReason, string> = {
  UNSUBSCRIBED: 'The contact is not subscribed to marketing emails.',
  BOUNCED: 'An earlier email to the address bounced.',
  COMPLAINED: 'The recipient reported an earlier email as spam.',
  SUPPRESSED: 'The project has put the address on its suppression list.',
}

/** Who would be sent a campaign now. */
export const AudiencePreview = z
  .object({
    recipients: count('How many contacts would be sent it.'),
    excluded: z
      .array(z.object({ reason: ExclusionReason, count: count('How many contacts.') }))
      .describe('How many of the audience would not be sent it, by reason.'),
  })
  .meta({ id: 'AudiencePreview' })
/** Who would be sent a campaign now. */
export type AudiencePreview = z.output<typeof AudiencePreview>
