import type { Ctx } from '../../../kit/context.ts'
import { getCampaign } from '../campaigns.ts'
import { previewTarget } from './audience.ts'
import type { AudiencePreview } from './shapes.ts'
import { targetOf } from './target.ts'

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
