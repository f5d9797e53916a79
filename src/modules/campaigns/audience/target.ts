import type { Ctx } from '../../../kit/context.ts'
import { invalid } from '../../../kit/errors.ts'
import { requireSegments } from '../../contacts/audience/audience.ts'
import { requireReferences } from '../../filters/references.ts'
import type { Condition } from '../../filters/shapes.ts'
import type { Campaign } from '../shapes.ts'
import type { CampaignTarget } from './audience.ts'
import { foreignIn, type Meant, missingOf } from './shapes.ts'

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

/**
 * Requires that an audience is complete and that its segments exist. Fails with VALIDATION_ERROR for what is missing, for what is `given`
 * although it belongs to another audience, and for references of a condition, and with SEGMENT_NOT_FOUND.
 */
export async function requireMeant(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  meant: Meant,
  given: Partial<Meant> = meant,
): Promise<void> {
  const missing = missingOf(meant)
  if (missing) throw invalid(missing.field, missing.message, 'required')
  const foreign = foreignIn(meant.audienceType, given)
  if (foreign) throw invalid(foreign.field, foreign.message, 'not_allowed')
  if (meant.audienceType === 'SEGMENT') await requireSegments(ctx, { segmentId: meant.segmentId ?? undefined })
  if (meant.audienceType === 'FILTERED')
    await requireReferences(ctx.db, ctx.projectId, { condition: meant.audienceFilter as Condition, field: 'audienceFilter' })
}
