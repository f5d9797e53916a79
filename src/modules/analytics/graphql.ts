import { builder } from '../../kit/builder.ts'
import { enumOf, readArguments } from '../../kit/zod-input.ts'
import { campaignsOf, getCampaignSummary, listTopCampaigns } from './campaigns.ts'
import { listTopEvents } from './events.ts'
import {
  CampaignMetric,
  type CampaignSummary,
  SeriesInterval,
  TimeseriesPeriod,
  type TimeseriesPoint,
  TopCampaignsOfDays,
  type TopEvent as TopEventShape,
  TopEventsSearch,
  TotalsPeriod,
} from './shapes.ts'
import { type EmailTotals, getEmailTotals, getTimeseries, getTotalsBefore } from './timeseries.ts'

const Interval = enumOf('TimeseriesInterval', SeriesInterval, 'How long the parts of a time series are.', {
  HOUR: 'Hours.',
  DAY: 'Days of the time zone: of 23 or 25 hours where clocks change.',
  WEEK: 'Weeks of the time zone, from Monday on.',
  MONTH: 'Months of the time zone.',
})
const Metric = enumOf('CampaignMetric', CampaignMetric, 'What campaigns are compared by.', {
  opens: 'How many emails were opened.',
  clicks: 'In how many a link was followed.',
  openRate: 'Opened, in percent of those sent.',
  clickRate: 'Clicked, in percent of those sent.',
  sent: 'How many emails were sent.',
})

// The name in GraphQL, which says the same as everywhere else, with the name in the counts.
const counts = [
  ['sent', 'emails', 'Emails sent: a mail server accepted them, or refused their address for good.'],
  ['delivered', 'delivered', 'Emails known to have reached the mailbox.'],
  ['opened', 'opens', 'Emails opened for the first time by a person, as far as can be told.'],
  ['clicked', 'clicks', 'Emails in which a link was followed for the first time by a person, as far as can be told.'],
  ['bounced', 'bounces', 'Emails refused for good because of their address.'],
  ['complained', 'complained', 'Emails reported as spam.'],
  ['failed', 'failed', 'Emails that could not be sent, for another reason than their address.'],
  ['unsubscribed', 'unsubscribed', 'How often a person unsubscribed by a link of an email.'],
  ['machineOpened', 'machineOpens', 'How often machines, such as mail scanners, opened an email.'],
  ['machineClicked', 'machineClicks', 'How often machines followed a link.'],
] as const
type Counts = Pick<TimeseriesPoint, (typeof counts)[number][1]>

const Point = builder.objectRef<TimeseriesPoint>('TimeseriesPoint').implement({
  description: 'What became of emails in a part of a time series.',
  fields: (t) => ({
    start: t.expose('date', { type: 'DateTime', description: 'When it begins.' }),
    day: t.expose('day', { type: 'Date', description: 'The day that it begins on, in the time zone of the series.' }),
    ...Object.fromEntries(counts.map(([name, key, description]) => [name, t.exposeInt(key, { description })])),
  }),
})

const rate = (what: string) => ({ description: `${what}, in percent of those sent, with two decimals; 0 when nothing was sent.` })

const Sums = builder.interfaceRef<EmailTotals>('EmailSums').implement({
  description: 'What became of emails on some days. What happened counts when it happened, whenever the email was sent.',
  fields: (t) => ({
    startDate: t.expose('startDate', { type: 'Date', description: 'The first day.' }),
    endDate: t.expose('endDate', { type: 'Date', description: 'The last day, which is included.' }),
    ...Object.fromEntries(
      counts.map(([name, key, description]) => [name, t.float({ description, resolve: (totals: Counts) => totals[key] })]),
    ),
    deliveryRate: t.exposeFloat('deliveryRate', rate('Delivered')),
    openRate: t.exposeFloat('openRate', rate('Opened by people')),
    clickRate: t.exposeFloat('clickRate', rate('Clicked by people')),
    bounceRate: t.exposeFloat('bounceRate', rate('Bounced')),
    complaintRate: t.exposeFloat('complaintRate', rate('Reported as spam')),
  }),
})

const Before = builder.objectRef<EmailTotals>('EmailTotalsBefore').implement({
  description: 'What became of emails on as many days right before some days.',
  interfaces: [Sums],
})

const Totals = builder.objectRef<EmailTotals>('EmailTotals').implement({
  description: 'What became of emails on some days, to compare with the days before.',
  interfaces: [Sums],
  fields: (t) => ({
    previous: t.field({
      type: Before,
      description: 'The same of as many days right before.',
      resolve: (totals, _args, ctx) => getTotalsBefore(ctx, totals),
    }),
  }),
})

const TopEvent = builder.objectRef<TopEventShape>('TopEvent').implement({
  description: 'How often an event happened, and how that changes.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the event.' }),
    count: t.exposeInt('count', { description: 'How often it happened in the range of days, at most 2 seconds behind.' }),
    trend: t.exposeFloat('trend', {
      description: 'The change against as many days before, in percent with one decimal; 100 for one that did not happen then.',
    }),
  }),
})

const Summary = builder.objectRef<CampaignSummary>('CampaignSummary').implement({
  description: 'What became of the campaigns of the project.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'How many campaigns there are.' }),
    active: t.exposeInt('active', { description: 'How many are DRAFT, SCHEDULED or SENDING.' }),
    completed: t.exposeInt('completed', { description: 'How many are SENT.' }),
    averageOpenRate: t.exposeFloat('averageOpenRate', {
      description: 'The mean of the open rates of SENT campaigns of which something was sent, in percent with one decimal; 0 without one.',
    }),
    averageClickRate: t.exposeFloat('averageClickRate', { description: 'The same of the click rates.' }),
    campaigns: t.prismaField({
      type: ['Campaign'],
      description: 'The newest 100, newest first; `stats` of each says what became of it.',
      extensions: { maxItems: 100 },
      resolve: (query, { campaigns }, _args, ctx) => campaignsOf(ctx, campaigns, query),
    }),
  }),
})

const timezoneArg = {
  required: true,
  defaultValue: 'UTC',
  description: 'The IANA name of the time zone, such as `Europe/Berlin`.',
} as const

builder.queryFields((t) => ({
  timeseries: t.field({
    type: [Point],
    description:
      'What became of emails over time, oldest first and without gaps: at most 366 days, or 31 by hours, at most 2 seconds behind. What happened counts when it happened, whenever the email was sent. Deleting a contact does not change what was counted; counts are stored for 25 months. Fails with VALIDATION_ERROR for a longer range.',
    extensions: { maxItems: 750, cost: 0.1 },
    args: {
      startDate: t.arg({ type: 'Date', description: 'The first day, in `timezone`. Default: 29 days before the last one.' }),
      endDate: t.arg({ type: 'Date', description: 'The last day, which is included. Default: today.' }),
      timezone: t.arg.string(timezoneArg),
      interval: t.arg({
        type: Interval,
        required: true,
        defaultValue: 'DAY',
        description: 'How long the parts are. The first and the last week or month may be cut off by the range.',
      }),
    },
    resolve: (_parent, args, ctx) => getTimeseries(ctx, readArguments(TimeseriesPeriod, args)),
  }),
}))

builder.queryFields((t) => ({
  topEvents: t.field({
    type: [TopEvent],
    description:
      'The most frequent events of at most 366 UTC days, compared with as many days before. Events of deleted contacts, and of names that were deleted, are not counted.',
    extensions: { maxItems: 100 },
    args: {
      limit: t.arg.int({ required: true, defaultValue: 5, description: 'How many events, 1 to 100.' }),
      startDate: t.arg({ type: 'Date', description: 'The first UTC day. Default: 29 days before the last one.' }),
      endDate: t.arg({ type: 'Date', description: 'The last UTC day, which is included. Default: today.' }),
      tracked: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Only events that callers track, without those that the platform writes itself, such as `email.sent`.',
      }),
    },
    resolve: (_parent, args, ctx) => listTopEvents(ctx, readArguments(TopEventsSearch, args)),
  }),
}))

builder.queryField('emailTotals', (t) =>
  t.field({
    type: Totals,
    description:
      'What became of emails on some days, in one sum: at most 366 days, at most 2 seconds behind. `previous` has as many days before. Fails with VALIDATION_ERROR for a longer range.',
    args: {
      startDate: t.arg({ type: 'Date', description: 'The first day, in `timezone`. Default: 29 days before the last one.' }),
      endDate: t.arg({ type: 'Date', description: 'The last day, which is included. Default: today.' }),
      timezone: t.arg.string(timezoneArg),
    },
    resolve: (_parent, args, ctx) => getEmailTotals(ctx, readArguments(TotalsPeriod, args)),
  }),
)

builder.queryFields((t) => ({
  topCampaigns: t.prismaField({
    type: ['Campaign'],
    description:
      'The SENT campaigns that did best, the best first; of equal ones, that which was sent to more. Their `stats` say how well, from the first email until now. With days only those that were sent on one of them (`sentAt`), of at most 366 days. Fails with VALIDATION_ERROR for a longer range.',
    extensions: { maxItems: 100 },
    args: {
      limit: t.arg.int({ required: true, defaultValue: 10, description: 'How many campaigns, 1 to 100.' }),
      metric: t.arg({ type: Metric, required: true, defaultValue: 'opens', description: 'What they are compared by.' }),
      startDate: t.arg({
        type: 'Date',
        description: 'The first day, in `timezone`. Default: 29 days before `endDate`; without both, all campaigns.',
      }),
      endDate: t.arg({ type: 'Date', description: 'The last day, which is included. Default: today, with a `startDate`.' }),
      timezone: t.arg.string(timezoneArg),
    },
    resolve: async (query, _parent, args, ctx) =>
      campaignsOf(ctx, await listTopCampaigns(ctx, readArguments(TopCampaignsOfDays, args)), query),
  }),
  campaignSummary: t.field({
    extensions: { cost: 20 },
    type: Summary,
    description: 'What became of the campaigns of the project, at most 2 seconds behind.',
    resolve: (_parent, _args, ctx) => getCampaignSummary(ctx),
  }),
}))
