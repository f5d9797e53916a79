import type { Ctx } from '../../../kit/context.ts'
import { type Failure, invalid } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { requireSegments } from '../../contacts/audience/audience.ts'
import { segmentsOf } from '../../filters/language.ts'
import { requireReferences } from '../../filters/references.ts'
import { holdSegments } from '../../filters/segments/needed.ts'
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

/**
 * Holds the segments that an audience leads to in the transaction that begins to need them, under `lockReferences`. Fails with
 * VALIDATION_ERROR when one of them was deleted: such a campaign would not be sent at its time.
 */
export async function holdAudience(tx: Transaction, projectId: string, { audienceType, segmentId, audienceFilter }: Meant): Promise<void> {
  const isSegment = audienceType === 'SEGMENT'
  const condition = audienceType === 'FILTERED' ? (audienceFilter as Condition | null) : null
  const asked = isSegment ? [segmentId ?? ''] : condition ? segmentsOf(condition) : []
  const missing = await holdSegments(tx, projectId, asked)
  if (missing.size > 0) throw segmentGone({ audienceType })
}

const partOf = (audienceType: Meant['audienceType']): string => (audienceType === 'SEGMENT' ? 'segmentId' : 'audienceFilter')

/** The failure of a campaign whose audience asks a field or an event that was deleted after it was chosen: what is left may mean everybody. */
export const fieldGone = ({ audienceType }: Pick<Meant, 'audienceType'>): Failure =>
  invalid(
    partOf(audienceType),
    'asks, itself or through a segment, for a field or an event that was deleted after that condition was chosen, so that it may mean others: choose another condition there, or another and then the same again',
    'not_allowed',
  )

/** The failure of a campaign for a segment that was deleted. */
export const segmentGone = ({ audienceType }: Pick<Meant, 'audienceType'>): Failure =>
  invalid(partOf(audienceType), 'names a segment that was deleted, or one that leads to it: choose another audience', 'unknown_segment')
