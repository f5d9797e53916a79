import { listOf } from '../../kit/bounded.ts'
import { builder } from '../../kit/builder.ts'
import { read } from '../../kit/problems.ts'
import { inOrder } from '../../kit/shapes.ts'
import { enumOf, filterOf, readArguments } from '../../kit/zod-input.ts'
import { findCampaign } from '../campaigns/campaigns.ts'
import { findContact } from '../contacts/contacts.ts'
import { findEmail } from '../emails/emails.ts'
import { findEvent } from '../events/events.ts'
import { findExecutionOf } from '../workflows/executions/relations.ts'
import { connectActivity, countRecentActivity, type LinkedActivity, listActivityTypes } from './activity.ts'
import { ActivityFilter, ActivityPeriod, RecentPeriod, sentText } from './shapes.ts'
import { getActivityStats } from './stats.ts'
import { ActivityType } from './types.ts'
import { getActivityCursor, type StreamedActivity, watchActivity } from './watch.ts'

const Type = enumOf('ActivityType', ActivityType, 'What kind of thing happened.', {
  'event.triggered': 'A tracked event, or an event of the platform that has no type of its own; `metadata.eventName` is its name.',
  'email.sent': 'A mail server accepted an email.',
  'email.delivered': 'An email is known to have reached the mailbox.',
  'email.received': 'An email to a domain of the project came in.',
  'email.opened': 'An email was opened.',
  'email.clicked': 'A link in an email was clicked.',
  'email.bounced': 'The address refused an email.',
  'email.complaint': 'The recipient reported an email as spam.',
  'email.failed': 'An email could not be sent.',
  'email.copy.failed': 'A copy (cc, bcc) of an email was refused by the mail server, or withheld; the email itself may have been sent.',
  'contact.subscribed': 'A contact was subscribed to marketing email.',
  'contact.unsubscribed': 'A contact was unsubscribed from marketing email.',
  'campaign.scheduled': 'A campaign was scheduled.',
  'campaign.sent': 'A campaign was sent.',
  'workflow.started': 'A contact entered a workflow.',
  'workflow.completed': 'A contact reached the end of a workflow.',
  'workflow.email.scheduled': 'A workflow scheduled an email.',
})

const metadataText = `Facts, by type; what is not known is null or missing:
- EVENT_TRIGGERED: \`eventName\`, \`eventData\` (as it was tracked)
- EMAIL_SENT, EMAIL_DELIVERED, EMAIL_OPENED, EMAIL_CLICKED, EMAIL_BOUNCED, EMAIL_COMPLAINT, EMAIL_FAILED, EMAIL_COPY_FAILED: \`emailId\`, \`subject\`, \`from\`, \`fromName\`, \`messageId\`, \`templateId\`, \`campaignId\`, \`sourceType\` (an EmailSource); \`replaces\`: the state that was taken back by it; \`early\`: it shows that an email that was not recorded as sent did leave, and counts it as sent
- EMAIL_SENT also \`sentAt\`, \`bounced\` or \`reported\` (a bounce, or something else, was reported before, and has counted the email as sent); EMAIL_DELIVERED \`deliveredAt\`; EMAIL_COMPLAINT \`complainedAt\`
- EMAIL_OPENED also \`openedAt\`, \`opens\`, \`isFirstOpen\`, \`isFirstByPerson\`, \`bot\`, \`botReason\`
- EMAIL_CLICKED also \`link\`, \`clickedAt\`, \`clicks\`, \`isFirstClick\`, \`isFirstByPerson\`, \`bot\`, \`botReason\`
- EMAIL_BOUNCED also \`bounceType\` (\`Permanent\` or \`Transient\`), \`bouncedAt\`, \`transientBounce\`, \`reason\`, and where it is permanent \`refused\` (by the mail server at once; it counts the email as sent)
- EMAIL_FAILED also \`status\` (\`FAILED\`, \`REJECTED\` or \`SUPPRESSED\`), \`failedAt\`, \`reason\`; EMAIL_COPY_FAILED also \`copy\` (the address of the copy), \`failedAt\`, \`reason\`
- EMAIL_RECEIVED: \`emailId\`, \`messageId\`, \`from\`, \`fromHeader\`, \`to\`, \`subject\`, \`timestamp\`, \`recipients\`, \`hasContent\`, \`body\`, \`spamVerdict\`, \`virusVerdict\`, \`spfVerdict\`, \`dkimVerdict\`, \`dmarcVerdict\`, \`processingTimeMillis\`, \`sourceType\`
- CONTACT_SUBSCRIBED, CONTACT_UNSUBSCRIBED: \`source\` (\`api\`, \`send\`, \`track\`, \`bulk\`, \`import\`, \`page\`, \`one_click\`, \`workflow\`, \`bounce\` or \`complaint\`), \`reason\`; \`emailId\`, or \`executionId\` and \`depth\`, of what led to it
- CAMPAIGN_SCHEDULED, CAMPAIGN_SENT: \`campaignId\`, \`campaignName\`; \`scheduledFor\` or \`totalRecipients\`
- WORKFLOW_STARTED, WORKFLOW_COMPLETED, WORKFLOW_EMAIL_SCHEDULED: \`workflowId\`, \`workflowName\`, \`executionId\`, \`depth\` (how many executions led to it); WORKFLOW_COMPLETED also \`status\`, \`reason\`; WORKFLOW_EMAIL_SCHEDULED \`stepId\`, \`emailId\``

/** Something that happened, as GraphQL shows it. */
export const Activity = builder.interfaceRef<LinkedActivity>('Activity').implement({
  description: 'Something that happened in the project: email sent, opened, clicked or bounced, events tracked, subscriptions changed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the event behind it.' }),
    type: t.expose('type', { type: Type, description: 'What kind of thing happened.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it happened.' }),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact it happened to; null where there is none, and once the contact has been deleted.',
      resolve: (query, { contactId }, _args, ctx) => findContact(ctx, { id: contactId }, query),
    }),
    contactId: t.id({
      nullable: true,
      description: 'Id of the contact it happened to, also once the contact has been deleted.',
      resolve: ({ contactId }) => contactId ?? null,
    }),
    contactEmail: t.string({
      nullable: true,
      description: 'Address of the contact: the same as `contact.email`, without another lookup.',
      resolve: ({ contactEmail }) => contactEmail ?? null,
    }),
    email: t.prismaField({
      type: 'Email',
      nullable: true,
      description: 'The email it is about; null where there is none, and once the email has been deleted.',
      resolve: (query, { emailId }, _args, ctx) => findEmail(ctx, { id: emailId }, query),
    }),
    event: t.prismaField({
      type: 'Event',
      nullable: true,
      description: 'The event behind it; null once it has been deleted.',
      resolve: (query, { id }, _args, ctx) => findEvent(ctx, { id }, query),
    }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: metadataText,
    }),
  }),
})

builder.interfaceFields(Activity, (t) => ({
  campaign: t.prismaField({
    type: 'Campaign',
    nullable: true,
    description: 'The campaign it is about, also by one of its emails; null where there is none, and once the campaign has been deleted.',
    resolve: (query, { campaignId }, _args, ctx) => findCampaign(ctx, { id: campaignId }, query),
  }),
  execution: t.prismaField({
    type: 'WorkflowExecution',
    nullable: true,
    description: 'The execution of a workflow it is about, also by one of its emails; null where there is none.',
    resolve: (query, { executionId, emailId }, _args, ctx) => findExecutionOf(ctx, { executionId, emailId }, query),
  }),
}))

const PastActivity = builder.objectRef<LinkedActivity>('PastActivity').implement({
  interfaces: [Activity],
  description: 'Something that happened, in a list.',
})

const LiveActivity = builder.objectRef<StreamedActivity>('LiveActivity').implement({
  interfaces: [Activity],
  description: 'Something that happened, in the live stream.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description:
        'Store the last one you have handled: subscribing with it as `after` continues right behind it, on any server, without a gap or a duplicate.',
    }),
  }),
})

const ActivityConnection = builder.connectionObject(
  { type: PastActivity, name: 'ActivityConnection', description: 'What happened, newest first.' },
  { name: 'ActivityEdge' },
)

const ActivityStats = builder.objectRef<Awaited<ReturnType<typeof getActivityStats>>>('ActivityStats').implement({
  description:
    'Figures of a range of days. Rates are percent of the emails sent. Opens and clicks of machines, such as mail scanners, count here too: `emailTotals` has those of people.',
  fields: (t) => ({
    totalEvents: t.exposeInt('totalEvents', { description: 'Number of events, at most 2 seconds behind.' }),
    totalEmailsSent: t.exposeInt('totalEmailsSent', { description: sentText }),
    totalEmailsOpened: t.exposeInt('totalEmailsOpened', {
      description: 'Emails sent in these days and opened at least once, by whomever.',
    }),
    totalEmailsClicked: t.exposeInt('totalEmailsClicked', {
      description: 'Emails sent in these days with at least one click, by whomever.',
    }),
    totalWorkflowsStarted: t.exposeInt('totalWorkflowsStarted', {
      description: 'Times a contact entered a workflow, at most 2 seconds behind.',
    }),
    openRate: t.exposeFloat('openRate', { description: 'Emails opened, in percent of those sent: 0 to 100.' }),
    clickRate: t.exposeFloat('clickRate', { description: 'Emails clicked, in percent of those sent: 0 to 100.' }),
  }),
})

const period = ActivityPeriod.refine(...inOrder)
const filter = filterOf(
  'ActivityFilter',
  ActivityFilter.extend({ types: listOf(ActivityType, { min: 1, max: 50 }).optional().describe('Only these types.') }),
  'Which activity a list holds: all conditions apply.',
)

builder.queryFields((t) => ({
  activity: t.connection(
    {
      type: PastActivity,
      description:
        'What happened in the project, newest first. For a feed without a gap read `activityCursor` before it, subscribe with that as `after`, and drop what you have by its id.',
      args: filter.args(t),
      resolve: (_parent, args, ctx) => connectActivity(ctx, filter.read(args), args),
    },
    ActivityConnection,
  ),
  activityCursor: t.string({
    description:
      'Where the live stream is now. Ask for it before you read a list or an object, then subscribe to `activity` with it as `after`: the stream sends whatever the list does not have yet.',
    resolve: (_parent, _args, ctx) => getActivityCursor(ctx),
  }),
  activityTypes: t.field({ type: [Type], description: 'Every type of activity.', resolve: async () => (await listActivityTypes()).types }),
  activityStats: t.field({
    extensions: { cost: 20 },
    type: ActivityStats,
    description: 'Figures of the UTC days from `startDate` to `endDate`, both included.',
    args: {
      startDate: t.arg({ type: 'Date', description: 'The first UTC day. Default: 29 days before the last one.' }),
      endDate: t.arg({ type: 'Date', description: 'The last UTC day, which is included. Default: today.' }),
    },
    resolve: (_parent, args, ctx) => getActivityStats(ctx, readArguments(period, args)),
  }),
  recentActivityCount: t.int({
    description: 'Number of events in the last minutes, counted up to 100,000.',
    args: { minutes: t.arg.int({ required: true, defaultValue: 5, description: 'Minutes to look back, 1 to 60.' }) },
    resolve: async (_parent, args, ctx) => (await countRecentActivity(ctx, read(RecentPeriod, args, 'query'))).count,
  }),
}))

builder.subscriptionField('activity', (t) =>
  t.field({
    type: LiveActivity,
    description:
      'What happens in the project, as it happens: each item exactly once and in order. With `after` it first sends what came after that cursor. An item of which more than 8 MB are selected is an error in its place (PAYLOAD_TOO_LARGE), and the next ones follow. A subscriber more than 1,000 items or 8 MB behind, or that takes some items after a cursor for more than 15 s while others of its project or account wait for theirs, or for more than a second while those of all subscribers have more than 64 MB, or whose next item waits more than 30 s because of what the subscriptions of its project and account select, is closed with STREAM_INTERRUPTED and `extensions.cursor` to continue from. A cursor ahead of the log, as after a failover that lost the newest items, ends it with CURSOR_EXPIRED (410; a websocket is closed with 4410): subscribe again without `after`.',
    args: {
      after: t.arg.string({
        description: 'Cursor of the last item you have handled; leave it out to start with what happens from now on.',
      }),
      types: t.arg({ type: [Type], description: 'Only these types.' }),
      contactId: t.arg.id({ description: 'Only what happens to this contact.' }),
      campaignId: t.arg.id({ description: 'Only what happens to this campaign and to its emails.' }),
    },
    subscribe: (_parent, args, ctx) => watchActivity(ctx, args),
    resolve: (activity) => activity,
  }),
)
