import type { Campaign } from '../shapes.ts'
import type { CampaignTarget } from './audience.ts'

/** Who is meant by a campaign. */
export function targetOf({
  type,
  audienceType,
  segmentId,
  audienceFilter,
  sourceCampaignId,
  sourceOutcome,
}: Pick<Campaign, 'type' | 'audienceType' | 'segmentId' | 'audienceFilter' | 'sourceCampaignId' | 'sourceOutcome'>): CampaignTarget {
  return { type, audienceType, segmentId, audienceFilter, sourceId: sourceCampaignId, sourceOutcome }
}
