import { builder, nodesOf, payloadOf, selectionOf } from '../../kit/builder.ts'
import { idWindow } from '../../kit/paging.ts'
import { inOrder } from '../../kit/shapes.ts'
import { filterOf, graphqlInput, readArguments } from '../../kit/zod-input.ts'
import { isUnused } from '../filters/usage.ts'
import { countRecentEvents, listEventNames } from './counter/names.ts'
import { connectEvents, deleteEventName, eventColumns, findEventData, visibleEvent } from './events.ts'
import { connectEventsOf } from './relations/contact.ts'
import { ByEventName, EventFilter, EventPeriod } from './shapes.ts'
import { getEventUsage } from './usage.ts'

/** A line of the log, as GraphQL shows it. */
export const Event = builder.prismaNode('Event', {
  description: 'Something that happened: one entry of the log, written once and never changed.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `evt_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => visibleEvent(projectId, id),
  select: eventColumns,
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name it was tracked with, or a name of the platform such as `email.sent` or `contact.unsubscribed`.',
    }),
    contactId: t.exposeID('contactId', { nullable: true, description: 'Id of the contact it happened to.' }),
    emailId: t.exposeID('emailId', {
      nullable: true,
      description: 'Id of the email it is about, also once the email has been deleted; set on every `email.*` event.',
    }),
    data: t.field({
      type: 'JSON',
      nullable: true,
      resolve: (event, _args, ctx) => findEventData(ctx, event),
      description:
        'The data it was tracked with, or facts of an event of the platform; null for none. Of very many events at once the first 32 MB are answered; the others fail with PAYLOAD_TOO_LARGE. Of `project.changed` it has `actor` (its `type` is `user`, `key` or `system`, its `id` that of the user) and `fields`, the names of what was changed: `name`, `tracking`, `language`, `utm`, `disabled`, `reset`, `keys`, `webhookSecret`, `members`, `members.role`, `invitations`, `domains`, `domains.status`, `domains.warmUp`, and `billingLimits.` with a category; it never has values.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

/** Events, newest first. */
export const EventConnection = builder.connectionObject(
  { type: Event, name: 'EventConnection', description: 'Events, newest first.' },
  { name: 'EventEdge' },
)

builder.prismaObjectField('Contact', 'events', (t) =>
  t.connection(
    {
      type: Event,
      description: 'What happened to the contact, newest first.',
      // What the connection itself needs, also when no nodes are asked for.
      select: async (args, _ctx, nested) => ({
        events: await nested({ ...idWindow('event', args), select: eventColumns }, nodesOf('Event')),
      }),
      resolve: (contact, args, ctx) => connectEventsOf(ctx, contact, args),
    },
    EventConnection,
  ),
)

const EventCount = builder.objectRef<{ name: string; count: number }>('EventCount').implement({
  description: 'How often an event happened.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the event.' }),
    count: t.exposeInt('count', {
      description: 'How often it happened, at most 2 seconds behind, 10 seconds where names and days make more than 10,000 counts.',
    }),
  }),
})

const EventUsage = builder.objectType('EventUsage', {
  description: 'What uses an event, and how often it happened.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the event.' }),
    totalCount: t.exposeInt('totalCount', { description: 'How often it happened.' }),
    uniqueContacts: t.exposeInt('uniqueContacts', {
      description: 'To how many contacts it happened: at most 2 seconds behind, above 100,000 at most 60 s old.',
    }),
    isUsed: t.boolean({
      description:
        'Whether anything uses it. `deleteEventName` does not refuse it then; it refuses names of events that the platform writes itself.',
      resolve: (uses) => !isUnused(uses),
    }),
  }),
})

const period = EventPeriod.refine(...inOrder)
const filter = filterOf('EventFilter', EventFilter, 'Which events a list holds: all conditions apply.')

builder.queryFields((t) => ({
  events: t.connection(
    {
      type: Event,
      description: 'What happened in the project, newest first: tracked events and those the platform writes itself.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectEvents(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Event')),
    },
    EventConnection,
  ),
  eventNames: t.stringList({
    description:
      'The names of all events that happened, most frequent first, at most 1,000: at most 2 seconds behind, 10 seconds where names and days make more than 10,000 counts.',
    extensions: { maxItems: 1_000 },
    resolve: async (_parent, _args, ctx) => (await listEventNames(ctx)).eventNames,
  }),
  eventUsage: t.field({
    type: EventUsage,
    description: 'What uses an event, and how often it happened: look here before `deleteEventName`.',
    args: { name: t.arg.string({ required: true, description: 'The name of the event.' }) },
    resolve: async (_parent, { name }, ctx) => ({ name, ...(await getEventUsage(ctx, { eventName: name })) }),
  }),
  eventCounts: t.field({
    type: [EventCount],
    description:
      'How often each event happened on the UTC days from `startDate` to `endDate`, both included: the 1,000 most frequent names, most frequent first. At most 2 seconds behind, 10 seconds where names and days make more than 10,000 counts.',
    extensions: { maxItems: 1_000 },
    args: {
      startDate: t.arg({ type: 'Date', description: 'The first UTC day. Default: 29 days before the last one.' }),
      endDate: t.arg({ type: 'Date', description: 'The last UTC day, which is included. Default: today.' }),
    },
    resolve: (_parent, args, ctx) => countRecentEvents(ctx, readArguments(period, args)),
  }),
}))

const deletion = graphqlInput('DeleteEventNameInput', ByEventName)

const DeleteEventNamePayload = payloadOf<{ deletedCount: number }>('DeleteEventNamePayload', (t) => ({
  deletedCount: t.exposeInt('deletedCount', { description: 'Number of events that were deleted; 0 when none had the name.' }),
}))

builder.mutationField('deleteEventName', (t) =>
  t.field({
    type: DeleteEventNamePayload,
    description:
      'Deletes every event of a name: invisible at once, removed in the background. Bulk operations, exports, and campaigns whose recipients are being fixed, end if they go on by a condition that asks it. Names of events that the platform writes itself are refused with VALIDATION_ERROR (`reserved_event`).',
    args: deletion.args(t),
    resolve: (_parent, args, ctx) => deleteEventName(ctx, deletion.read(args)),
  }),
)
