import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { Moment, Timestamp, wholeNumber } from '../../kit/shapes.ts'
import { ActivityType, activityTypes, namesOf } from './types.ts'

/** An item of the activity feed. */
export const Activity = z
  .object({
    id: z.string(),
    type: ActivityType,
    timestamp: Timestamp,
    contactId: z.string().optional(),
    contactEmail: z.string().optional(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Details that depend on the type: `{ eventName, eventData }` for a tracked event; subject, sender and more for an email.'),
  })
  .meta({
    id: 'Activity',
    description:
      'Something that happened in the project: an email was sent, opened, clicked or bounced, an event was tracked, a contact unsubscribed, and so on.',
  })
/** An item of the activity feed. */
export type Activity = z.output<typeof Activity>

const isType = (type: string): boolean => namesOf([type]) !== null

/** Types to filter by: types of activity, or names of events. */
export const ActivityTypes = listOf(z.string().refine(isType, { error: `must be one of ${activityTypes.join(', ')}` }), { max: 50 })

/** What activity can be searched by. */
export const ActivityFilter = z.object({
  types: ActivityTypes.optional().describe('Only these types, such as `email.opened`. Event names such as `email.open` are accepted too.'),
  contactId: z.string().optional().describe('Only what happened to this contact.'),
  campaignId: z
    .string()
    .optional()
    .describe(
      'Only what happened to this campaign and to its emails. While much else has happened since, a page may be shorter than asked for.',
    ),
  from: z.date().optional().describe('Only what happened at or after this moment.'),
  to: z.date().optional().describe('Only what happened before this moment.'),
})
/** What activity can be searched by. */
export type ActivityFilter = z.output<typeof ActivityFilter>

/** The query string of the feed: ActivityFilter as it is written in a URL. */
export const ActivitySearch = CursorSearch.extend({
  types: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((type) => type.trim())
        .filter(Boolean),
    )
    .pipe(ActivityTypes)
    .optional()
    .meta({
      description:
        'Only these types, separated by commas: `email.opened,email.clicked`. Event names such as `email.open` are accepted too.',
    }),
  contactId: ActivityFilter.shape.contactId,
  campaignId: ActivityFilter.shape.campaignId,
  startDate: Moment.optional().describe('Only what happened at or after this moment.'),
  endDate: Moment.optional().describe('Only what happened before this moment.'),
})
/** The query string of the feed. */
export type ActivitySearch = z.output<typeof ActivitySearch>

/** A page of activity, newest first. */
export const ActivityPage = pageOf(Activity).meta({ id: 'ActivityPage' })

/** Every type of activity; `data` is the same list. */
export const ActivityTypeList = z.object({ types: z.array(z.string()), data: z.array(z.string()) }).meta({ id: 'ActivityTypeList' })

/** The period to count. */
export const RecentPeriod = z.object({
  minutes: wholeNumber(60).default(5).describe('Minutes to look back, 1 to 60.'),
})

/** The number of events in the last minutes. */
export const RecentCount = z.object({ count: z.number().int(), minutes: z.number().int() }).meta({ id: 'RecentCount' })

/** The range of days to sum up. */
export const ActivityPeriod = z.object({
  startDate: Moment.optional().describe('A moment of the first day (UTC). Default: 29 days before the last one.'),
  endDate: Moment.optional().describe('A moment of the last day (UTC), which is included. Default: today.'),
})

/** What counts as sent among the figures of a range of days. */
export const sentText =
  'Emails that a mail server accepted in these days, at most 2 seconds behind. Those that it refused for good are not among them; `sentCount` of a campaign and the figures of analytics count these too.'

/** Figures of a range of days; rates are percent of the emails sent. */
export const ActivityStats = z
  .object({
    totalEvents: z.number().int(),
    totalEmailsSent: z.number().int().describe(sentText),
    totalEmailsOpened: z.number().int(),
    totalEmailsClicked: z.number().int(),
    totalWorkflowsStarted: z.number().int(),
    openRate: z.number(),
    clickRate: z.number(),
  })
  .meta({ id: 'ActivityStats' })
