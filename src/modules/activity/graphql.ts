import { builder } from '../../kit/builder.ts'
import { read } from '../../kit/problems.ts'
import { filterOf } from '../../kit/zod-input.ts'
import { connectActivity, countRecentActivity, listActivityTypes } from './activity.ts'
import { ActivityFilter, type Activity as ActivityShape, RecentPeriod } from './shapes.ts'
import { getActivityStats } from './stats.ts'
import { type StreamedActivity, watchActivity } from './watch.ts'

/** Something that happened, as the feed tells it. */
export const Activity = builder.interfaceRef<ActivityShape>('Activity').implement({
  description: 'Something that happened in the project: mail sent, opened, clicked or bounced, events tracked, subscriptions changed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event behind it.' }),
    type: t.exposeString('type', {
      description:
        'Such as `email.sent`, `email.opened`, `contact.unsubscribed`; `event.triggered` for every tracked event. `activityTypes` lists them all.',
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it happened.' }),
    contactId: t.id({ nullable: true, description: 'The contact it happened to.', resolve: ({ contactId }) => contactId ?? null }),
    contactEmail: t.string({
      nullable: true,
      description: 'Address of that contact.',
      resolve: ({ contactEmail }) => contactEmail ?? null,
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: 'Facts of this type: `{ eventName, eventData }` of a tracked event; subject, sender, link, reason and more of a mail.',
    }),
  }),
})

const PastActivity = builder.objectRef<ActivityShape>('PastActivity').implement({
  interfaces: [Activity],
  description: 'An item of the feed.',
})

const LiveActivity = builder.objectRef<StreamedActivity>('LiveActivity').implement({
  interfaces: [Activity],
  description: 'An item of the live feed.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description:
        'Keep the last one you have handled: subscribing with it as `after` goes on right behind it, on any server, nothing lost, nothing twice.',
    }),
  }),
})

const ActivityConnection = builder.connectionObject(
  { type: PastActivity, name: 'ActivityConnection', description: 'What happened, newest first.' },
  { name: 'ActivityEdge' },
)

const ActivityStats = builder.objectRef<Awaited<ReturnType<typeof getActivityStats>>>('ActivityStats').implement({
  description: 'What happened in some days, in figures. Rates are percent of mails sent.',
  fields: (t) => ({
    totalEvents: t.exposeInt('totalEvents', { description: 'Everything that happened, at most 2 seconds behind.' }),
    totalEmailsSent: t.exposeInt('totalEmailsSent'),
    totalEmailsOpened: t.exposeInt('totalEmailsOpened', { description: 'Mails sent in these days and opened at least once.' }),
    totalEmailsClicked: t.exposeInt('totalEmailsClicked', { description: 'Mails sent in these days with at least one click.' }),
    totalWorkflowsStarted: t.exposeInt('totalWorkflowsStarted'),
    openRate: t.exposeFloat('openRate', { description: 'Percent, 0 to 100.' }),
    clickRate: t.exposeFloat('clickRate', { description: 'Percent, 0 to 100.' }),
  }),
})

const typesHint = 'Only these types, such as `email.opened`; event names such as `email.open` are taken too.'

const filter = filterOf('ActivityFilter', ActivityFilter, 'Which activity a list holds: all conditions apply.')

builder.queryFields((t) => ({
  activity: t.connection(
    {
      type: PastActivity,
      description:
        'What happened in the project, newest first. For a feed without a gap subscribe first, then read this, and drop what you have by its id.',
      args: filter.args(t),
      resolve: (_parent, args, ctx) => connectActivity(ctx, filter.read(args), args),
    },
    ActivityConnection,
  ),
  activityTypes: t.stringList({ description: 'Every type of activity.', resolve: async () => (await listActivityTypes()).types }),
  activityStats: t.field({
    type: ActivityStats,
    description: 'What happened from `startDate` to `endDate` (UTC days, both included; the last 30 by default).',
    args: { startDate: t.arg({ type: 'DateTime' }), endDate: t.arg({ type: 'DateTime' }) },
    resolve: (_parent, { startDate, endDate }, ctx) =>
      getActivityStats(ctx, { startDate: startDate ?? undefined, endDate: endDate ?? undefined }),
  }),
  recentActivityCount: t.int({
    description: 'How much happened in the last minutes, counted up to 100,000.',
    args: { minutes: t.arg.int({ required: true, defaultValue: 5, description: '1 to 60.' }) },
    resolve: async (_parent, args, ctx) => (await countRecentActivity(ctx, read(RecentPeriod, args, 'query'))).count,
  }),
}))

builder.subscriptionField('activity', (t) =>
  t.field({
    type: LiveActivity,
    description:
      'What happens in the project, as it happens, each exactly once and in order. With `after` it first tells what came after that cursor. A reader more than 1,000 items behind is closed with STREAM_INTERRUPTED and `extensions.cursor` to go on from.',
    args: {
      after: t.arg.string({ description: 'Cursor of the last item you have handled; leave it out to begin now.' }),
      types: t.arg.stringList({ description: typesHint }),
      contactId: t.arg.id({ description: 'Only what happens to this contact.' }),
    },
    subscribe: (_parent, args, ctx) => watchActivity(ctx, args),
    resolve: (activity) => activity,
  }),
)
