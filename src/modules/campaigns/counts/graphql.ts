import { builder } from '../../../kit/builder.ts'
import { getStoredCampaign } from '../campaigns.ts'
import { Campaign } from '../graphql.ts'
import { CampaignStats, type CampaignStats as StatsShape } from './shapes.ts'
import { findStats } from './stats.ts'
import { watchCampaign } from './watch.ts'

const { shape } = CampaignStats
const names = Object.keys(shape) as (keyof typeof shape)[]

const Stats = builder.objectRef<StatsShape>('CampaignStats').implement({
  description: 'What became of a campaign so far, at most 2 s behind what happened.',
  fields: (t) =>
    Object.fromEntries(
      names.map((name) => {
        const described = { description: shape[name].description ?? '' }
        return [name, name.endsWith('Rate') ? t.exposeFloat(name, described) : t.exposeInt(name, described)]
      }),
    ),
})

builder.prismaObjectField('Campaign', 'stats', (t) =>
  t.field({
    type: Stats,
    description: 'What became of it so far.',
    resolve: (campaign, _args, ctx) => findStats(ctx, campaign),
  }),
)

builder.subscriptionField('campaignProgress', (t) =>
  t.field({
    type: Campaign,
    description:
      'A campaign: first as it is, then whenever its state or a count has changed, at most ten times per second. A slow reader is sent the newest state only. The stream ends when the campaign is deleted. Fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the campaign.' }) },
    subscribe: (_parent, args, ctx) => watchCampaign(ctx, args),
    resolve: ({ id }, _args, ctx) => getStoredCampaign(ctx, { id }),
  }),
)
