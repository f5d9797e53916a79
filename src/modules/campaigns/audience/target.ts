import type { Campaign } from '../shapes.ts'
import type { CampaignTarget } from './audience.ts'

/** Who a campaign is sent to. */
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
