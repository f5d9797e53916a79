import type { Ctx } from '../../../kit/context.ts'
import { getCampaign } from '../campaigns.ts'
import type { AudienceDraft } from '../shapes.ts'
import { previewTarget } from './audience.ts'
import type { AudiencePreview } from './shapes.ts'
import { requireMeant, targetOf } from './target.ts'

/**
 * Counts who would be sent a campaign if it started now, by the rules by which it starts. Fails with RESOURCE_NOT_FOUND, and with
 * SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function previewAudience(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  { id }: { id: string },
): Promise<AudiencePreview> {
  return previewTarget(ctx, targetOf(await getCampaign(ctx, { id })))
}

/**
 * Counts whom a campaign for an audience would be sent to now, before there is one. Fails with VALIDATION_ERROR for an audience that is
 * not complete, with SEGMENT_NOT_FOUND, and with SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function previewAudienceOf(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  draft: AudienceDraft,
): Promise<AudiencePreview> {
  await requireMeant(ctx, draft)
  const { audienceType, segmentId = null, audienceFilter = null, type = 'MARKETING' } = draft
  return previewTarget(ctx, { type, audienceType, segmentId, audienceFilter, sourceId: null, sourceOutcome: null })
}
