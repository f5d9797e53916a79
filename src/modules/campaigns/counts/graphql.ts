import { builder } from '../../../kit/builder.ts'
import { getStoredCampaign } from '../campaigns.ts'
import { Campaign } from '../graphql.ts'
import type { CampaignStats as StatsShape } from './shapes.ts'
import { findStats } from './stats.ts'
import { watchCampaign } from './watch.ts'

const counts = {
  totalRecipients: 'How many contacts are sent it.',
  sentCount: 'How many emails left: a mail server accepted them, or refused their address for good.',
  deliveredCount: 'How many are known to have reached the mailbox.',
  openedCount: 'How many were opened, the first time by a person as far as can be told.',
  clickedCount: 'In how many a link was followed, the first time by a person as far as can be told.',
  bouncedCount: 'How many were refused for good because of their address.',
  complainedCount: 'How many were reported as spam.',
  unsubscribedCount: 'How many recipients unsubscribed by a link of it.',
  failedCount: 'How many failed: refused for another reason, or not rendered.',
  suppressedCount: 'How many were withheld, because their recipient had unsubscribed or was suppressed meanwhile.',
  machineOpens: 'How often machines, such as mail scanners, opened it.',
  machineClicks: 'How often machines followed a link of it.',
} as const
const rates = {
  deliveryRate: 'Delivered',
  openRate: 'Opened',
  clickRate: 'Clicked',
  bounceRate: 'Bounced',
  complaintRate: 'Complaints',
  unsubscribeRate: 'Unsubscribed',
} as const

const Stats = builder.objectRef<StatsShape>('CampaignStats').implement({
  description: 'What became of a campaign so far, at most 2 s behind what happened.',
  fields: (t) => ({
    ...Object.fromEntries(
      (Object.keys(counts) as (keyof typeof counts)[]).map((name) => [name, t.exposeInt(name, { description: counts[name] })]),
    ),
    ...Object.fromEntries(
      (Object.keys(rates) as (keyof typeof rates)[]).map((name) => [
        name,
        t.exposeFloat(name, { description: `${rates[name]}, in percent of \`sentCount\` with two decimals; 0 while nothing was sent.` }),
      ]),
    ),
  }),
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
