import { z } from 'zod'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { Moment, Timestamp } from '../../kit/shapes.ts'
import { ActivityType, activityTypes, namesOf } from './types.ts'

/** Something that happened, as the feed tells it. */
export const Activity = z
  .object({
    id: z.string(),
    type: ActivityType,
    timestamp: Timestamp,
    contactId: z.string().optional(),
    contactEmail: z.string().optional(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe('Facts of this type: `{ eventName, eventData }` of a tracked event, subject, sender and more of a mail.'),
  })
  .meta({ id: 'Activity', description: 'Something that happened in the project: sends, opens, clicks, bounces, tracked events and more.' })
/** Something that happened, as the feed tells it. */
export type Activity = z.output<typeof Activity>

const isType = (type: string): boolean => namesOf([type]) !== null

/** Types to filter by, in the feed's spelling or the log's. */
export const ActivityTypes = z.array(z.string().refine(isType, { error: `must be one of ${activityTypes.join(', ')}` })).max(50)

/** What activity can be searched by. */
export const ActivityFilter = z.object({
  types: ActivityTypes.optional().describe('Only these types, such as `email.opened`; event names such as `email.open` are taken too.'),
  contactId: z.string().optional().describe('Only what happened to this contact.'),
  from: z.date().optional().describe('Only what happened at or after this moment.'),
  to: z.date().optional().describe('Only what happened before this moment.'),
})
/** What activity can be searched by. */
export type ActivityFilter = z.output<typeof ActivityFilter>

/** The query of the feed: ActivityFilter as it is written in a URL. */
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
    .meta({ description: 'Comma-separated types, such as `email.opened,email.clicked`; event names such as `email.open` are taken too.' }),
  contactId: ActivityFilter.shape.contactId,
  startDate: Moment.optional().describe('Only from this moment on.'),
  endDate: Moment.optional().describe('Only before this moment.'),
})
/** The query of the feed. */
export type ActivitySearch = z.output<typeof ActivitySearch>

/** A page of activity, newest first. */
export const ActivityPage = pageOf(Activity).meta({ id: 'ActivityPage' })

/** Every type of the feed; `data` is the same list. */
export const ActivityTypeList = z.object({ types: z.array(z.string()), data: z.array(z.string()) }).meta({ id: 'ActivityTypeList' })

/** The minutes to count. */
export const RecentPeriod = z.object({
  minutes: z.coerce.number().int().min(1).max(60).default(5).describe('Minutes to look back, 1 to 60.'),
})

/** How much happened of late. */
export const RecentCount = z.object({ count: z.number().int(), minutes: z.number().int() }).meta({ id: 'RecentCount' })

/** The days to sum up. */
export const ActivityPeriod = z.object({
  startDate: Moment.optional().describe('First UTC day. Default: 30 days before the last.'),
  endDate: Moment.optional().describe('Last UTC day. Default: today.'),
})

/** The project's activity in figures; rates are percent of mails sent. */
export const ActivityStats = z
  .object({
    totalEvents: z.number().int(),
    totalEmailsSent: z.number().int(),
    totalEmailsOpened: z.number().int(),
    totalEmailsClicked: z.number().int(),
    totalWorkflowsStarted: z.number().int(),
    openRate: z.number(),
    clickRate: z.number(),
  })
  .meta({ id: 'ActivityStats' })
