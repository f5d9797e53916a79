import { z } from 'zod'
import { zoneNamed } from '../../kit/days.ts'
import { Flag, Timestamp, wholeNumber } from '../../kit/shapes.ts'
import { CampaignStats } from '../campaigns/counts/shapes.ts'
import { CampaignStatus } from '../campaigns/shapes.ts'

/** How many days a range may have, and one of hours. */
export const maxDays = 366
/** How many days a range of hours may have. */
export const maxDaysOfHours = 31
/** How many days a range has unless the caller says otherwise; today is the last one. */
export const defaultDays = 30
/** For how many months counts by time are stored. */
export const monthsStored = 25

const notADay = { error: 'must be a day such as 2026-01-31, or a moment such as 2026-01-31T09:30:00Z' }
const Day = z
  .union([z.iso.date(notADay), z.iso.datetime({ offset: true, ...notADay })], notADay)
  .refine((day) => day >= '2000' && day < '3000', { error: 'must be in the years 2000 to 2999' })
  .meta({ pattern: '^2' })

/** How long the parts of a time series are. */
export const SeriesInterval = z.enum(['HOUR', 'DAY', 'WEEK', 'MONTH'])
/** How long the parts of a time series are. */
export type SeriesInterval = z.output<typeof SeriesInterval>

/** The range of days of a time series. */
export const TimeseriesPeriod = z.object({
  startDate: Day.optional().meta({
    description: 'The first day, in `timezone`; of a moment, the day that it belongs to. Default: 29 days before the last one.',
    examples: ['2026-01-01'],
  }),
  endDate: Day.optional().meta({ description: 'The last day, which is included. Default: today.', examples: ['2026-01-31'] }),
  timezone: z
    .string()
    .max(64)
    .refine((name) => zoneNamed(name) !== null, {
      error: 'must be the IANA name of a time zone, such as Europe/Berlin',
      params: { code: 'invalid' },
    })
    .default('UTC')
    .meta({ description: 'The IANA name of the time zone that days begin in.', examples: ['Europe/Berlin'] }),
  interval: SeriesInterval.default('DAY').describe(
    'How long the parts are. Weeks begin on Mondays; the first and the last week or month may be cut off by the range.',
  ),
})
/** The range of days of a time series. */
export type TimeseriesPeriod = z.output<typeof TimeseriesPeriod>

/** A range of days whose emails are summed up. */
export const TotalsPeriod = TimeseriesPeriod.omit({ interval: true })
/** A range of days whose emails are summed up. */
export type TotalsPeriod = z.output<typeof TotalsPeriod>

const count = (text: string) => z.int().describe(text)

/** What became of emails in a part of a time series. */
export const TimeseriesPoint = z
  .object({
    date: Timestamp.describe('When it begins.'),
    day: z.iso.date().meta({ description: 'The day that it begins on, in the time zone of the series.', examples: ['2026-01-31'] }),
    emails: count('Emails sent: a mail server accepted them, or refused their address for good.'),
    delivered: count('Emails known to have reached the mailbox.'),
    opens: count('Emails opened for the first time by a person, as far as can be told.'),
    clicks: count('Emails in which a link was followed for the first time by a person, as far as can be told.'),
    bounces: count('Emails refused for good because of their address.'),
    machineOpens: count('How often machines, such as mail scanners, opened an email.'),
    machineClicks: count('How often machines followed a link.'),
    complained: count('Emails reported as spam.'),
    failed: count('Emails that could not be sent, for another reason than their address.'),
    unsubscribed: count('How often a person unsubscribed by a link of an email.'),
  })
  .meta({ id: 'TimeseriesPoint', description: 'What became of emails in a part of a time series.' })
/** What became of emails in a part of a time series. */
export type TimeseriesPoint = z.output<typeof TimeseriesPoint>

/** A time series without gaps, oldest first. */
export const Timeseries = z.array(TimeseriesPoint).meta({ id: 'Timeseries' })

/** What campaigns are compared by. */
export const CampaignMetric = z.enum(['opens', 'clicks', 'openRate', 'clickRate', 'sent'])
/** What campaigns are compared by. */
export type CampaignMetric = z.output<typeof CampaignMetric>

/** Which campaigns to compare. */
export const TopCampaignsSearch = z.object({
  limit: wholeNumber(100).default(10).describe('How many campaigns, 1 to 100.'),
  metric: CampaignMetric.default('opens').describe('What they are compared by.'),
})
/** Which campaigns to compare. */
export type TopCampaignsSearch = z.output<typeof TopCampaignsSearch>

/** Which campaigns to compare in GraphQL. */
export const TopCampaignsOfDays = TopCampaignsSearch.extend(TotalsPeriod.shape)

/** A campaign with what became of it. */
export const CampaignResult = CampaignStats.extend({
  id: z.string().meta({ examples: ['cmp_01m7y3mwcpfqhrhzca2e1aqg79'] }),
  name: z.string(),
  subject: z.string(),
  status: CampaignStatus,
  sentAt: Timestamp.nullable().describe('When the last of it was sent; null before.'),
}).meta({ id: 'CampaignResult', description: 'A campaign with what became of it.' })
/** A campaign with what became of it. */
export type CampaignResult = z.output<typeof CampaignResult>

/** Campaigns, the best first. */
export const TopCampaigns = z.array(CampaignResult).meta({ id: 'TopCampaigns' })

const average = (what: string) =>
  z
    .number()
    .describe(`The mean of the ${what} rates of SENT campaigns of which something was sent, in percent with one decimal; 0 without one.`)

/** What became of the campaigns of a project. */
export const CampaignSummary = z
  .object({
    total: count('How many campaigns there are.'),
    active: count('How many are DRAFT, SCHEDULED or SENDING.'),
    completed: count('How many are SENT.'),
    averageOpenRate: average('open'),
    averageClickRate: average('click'),
    campaigns: z.array(CampaignResult).describe('The newest 100, newest first.'),
  })
  .meta({ id: 'CampaignSummary' })
/** What became of the campaigns of a project. */
export type CampaignSummary = z.output<typeof CampaignSummary>

const trackedText = 'Only events that callers track, without those that the platform writes itself, such as `email.sent`.'

/** Which events to compare. */
export const TopEventsSearch = z.object({
  limit: wholeNumber(100).default(5).describe('How many events, 1 to 100.'),
  startDate: TimeseriesPeriod.shape.startDate.meta({
    description: 'The first UTC day. Default: 29 days before the last one.',
    examples: ['2026-01-01'],
  }),
  endDate: TimeseriesPeriod.shape.endDate.meta({
    description: 'The last UTC day, which is included. Default: today.',
    examples: ['2026-01-31'],
  }),
  tracked: z.boolean().default(false).describe(trackedText),
})
/** Which events to compare. */
export type TopEventsSearch = z.output<typeof TopEventsSearch>

/** The query that says which events to compare: TopEventsSearch as parameters of a URL. */
export const TopEventsQuery = TopEventsSearch.extend({ tracked: Flag.default(false).describe(trackedText) })

/** How often an event happened, and how that changes. */
export const TopEvent = z
  .object({
    name: z.string(),
    count: count('How often it happened in the range of days, at most 2 seconds behind.'),
    trend: z
      .number()
      .describe('The change against as many days before, in percent with one decimal; 100 for one that did not happen then.'),
  })
  .meta({ id: 'TopEvent' })
/** How often an event happened, and how that changes. */
export type TopEvent = z.output<typeof TopEvent>

/** Events, the most frequent first. */
export const TopEvents = z.array(TopEvent).meta({ id: 'TopEvents' })
