import { builder } from '../../../kit/builder.ts'
import { asGraphql, enumOf } from '../../../kit/zod-input.ts'
import { AnyCondition } from '../../filters/shapes.ts'
import { findSegment } from '../../segments/segments.ts'
import { findCampaign } from '../campaigns.ts'
import { SourceOutcome } from '../shapes.ts'
import { CampaignAudience } from './shapes.ts'

const Audience = enumOf('CampaignAudience', CampaignAudience, 'Who a campaign is sent to.', {
  ALL: 'All contacts of the project.',
  SEGMENT: 'The members of a segment when the campaign starts.',
  FILTERED: 'The contacts that match a condition when the campaign starts.',
})

const Outcome = enumOf('CampaignSourceOutcome', SourceOutcome, 'Which recipients of another campaign a copy of it is for.', {
  NOT_OPENED: 'Those it was sent to who have not opened it; what machines opened does not count.',
  NOT_CLICKED: 'Those it was sent to who have not followed a link of it; what machines followed does not count.',
  FAILED: 'Those it did not reach: it failed, was rejected or bounced.',
})

builder.prismaObjectFields('Campaign', (t) => ({
  audienceType: t.expose('audienceType', { type: Audience, description: 'Who it is sent to.' }),
  segment: t.prismaField({
    type: 'Segment',
    nullable: true,
    description: 'The segment it is sent to; null for another audience, and when the segment was deleted.',
    resolve: (query, { segmentId }, _args, ctx) => findSegment(ctx, { id: segmentId }, query),
  }),
  condition: t.field({
    type: 'JSON',
    nullable: true,
    description: 'Which contacts it is sent to, as a `ConditionInput` that can be sent again; null for another audience.',
    resolve: ({ audienceFilter }) => asGraphql(AnyCondition, audienceFilter),
  }),
  source: t.prismaField({
    type: 'Campaign',
    nullable: true,
    description: 'The campaign whose recipients it is sent to, instead of all of its audience; null for the audience.',
    resolve: (query, { sourceId }, _args, ctx) => findCampaign(ctx, { id: sourceId }, query),
  }),
  sourceOutcome: t.field({
    type: Outcome,
    nullable: true,
    description: 'Which of the recipients of `source` it is sent to; null for the audience.',
    // Only outcomes that were checked are stored.
    resolve: ({ sourceOutcome }) => sourceOutcome as SourceOutcome | null,
  }),
}))
