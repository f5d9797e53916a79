import { z } from 'zod'

const count = (text: string) => z.int().describe(text)

/** Who a campaign is sent to. */
export const CampaignAudience = z.enum(['ALL', 'SEGMENT', 'FILTERED']).meta({
  description: 'ALL contacts, the members of a SEGMENT, or the contacts that match a condition (FILTERED).',
  examples: ['ALL'],
})
/** Who a campaign is sent to. */
export type CampaignAudience = z.output<typeof CampaignAudience>

/** What says who a campaign is sent to. */
export interface Meant {
  audienceType: CampaignAudience
  segmentId?: string | null | undefined
  audienceFilter?: unknown
}

/** The field that the audience of a campaign lacks; null when it is complete. */
export function missingOf({ audienceType, segmentId, audienceFilter }: Meant): { field: string; message: string } | null {
  if (audienceType === 'SEGMENT' && !segmentId) return { field: 'segmentId', message: 'is required for the audience SEGMENT' }
  if (audienceType === 'FILTERED' && !audienceFilter) return { field: 'audienceFilter', message: 'is required for the audience FILTERED' }
  return null
}

/** The field that was given although it belongs to another audience: it would be dropped; null when there is none. */
export function foreignIn(audienceType: CampaignAudience, given: Partial<Meant>): { field: string; message: string } | null {
  const { segmentId, audienceFilter } = given
  if (audienceType !== 'SEGMENT' && segmentId != null) return { field: 'segmentId', message: 'belongs to the audience SEGMENT' }
  if (audienceType !== 'FILTERED' && audienceFilter != null) return { field: 'audienceFilter', message: 'belongs to the audience FILTERED' }
  return null
}

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
