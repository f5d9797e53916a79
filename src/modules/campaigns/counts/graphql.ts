import { builder } from '../../../kit/builder.ts'
import { getStoredCampaign } from '../campaigns.ts'
import { Campaign } from '../graphql.ts'
import { listCampaignLinks, maxLinksShown } from './links.ts'
import { CampaignProgress } from './shapes.ts'
import type { LinkRow } from './sql.ts'
import { findStats } from './stats.ts'
import { watchCampaign } from './watch.ts'

const { shape } = CampaignProgress
const names = Object.keys(shape) as (keyof typeof shape)[]

const Stats = builder.objectRef<CampaignProgress>('CampaignStats').implement({
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

const Link = builder.objectRef<LinkRow>('CampaignLink').implement({
  description: 'A link of the emails of a campaign, and how often it was followed.',
  fields: (t) => ({
    url: t.exposeString('url', {
      nullable: true,
      description:
        'Where it leads, at most 2,048 characters; null for all those together that were first followed when 1,000 others had been.',
    }),
    clicks: t.exposeInt('clicks', { description: 'How often it was followed, by people and programs.' }),
    uniqueClicks: t.exposeInt('uniqueClicks', { description: 'In how many emails a person followed it, as far as can be told.' }),
    machineClicks: t.exposeInt('machineClicks', { description: 'How many of the `clicks` were those of programs, such as link scanners.' }),
  }),
})

builder.prismaObjectField('Campaign', 'links', (t) =>
  t.field({
    type: [Link],
    description:
      'The links of its emails that were followed, at most 100, at most 2 s behind what happened: those that most people have followed first. Links that differ by recipient are counted apart. Deleting contacts does not change what was counted.',
    // Those of a page are read in one statement.
    extensions: { maxItems: maxLinksShown, cost: 0.2 },
    resolve: (campaign, _args, ctx) => listCampaignLinks(ctx, campaign),
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
