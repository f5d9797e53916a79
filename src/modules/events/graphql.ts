import { builder, nodesOf, selectionOf } from '../../kit/builder.ts'
import { idWindow } from '../../kit/paging.ts'
import { read } from '../../kit/problems.ts'
import { filterOf } from '../../kit/zod-input.ts'
import { connectEvents, countEvents, deleteEventName, eventColumns, listEventNames, visibleEvent } from './events.ts'
import { connectEventsOf } from './of-contact.ts'
import { ByEventName, EventFilter } from './shapes.ts'

/** A line of the log, as GraphQL shows it. */
export const Event = builder.prismaNode('Event', {
  description: 'Something that happened: one line of the log, written once and never changed.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `evt_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => visibleEvent(projectId, id),
  select: eventColumns,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The tracked name, or one of ours such as `email.sent` or `contact.unsubscribed`.' }),
    contact: t.relation('contact', { nullable: true, description: 'The contact it happened to.' }),
    contactId: t.exposeID('contactId', { nullable: true, description: 'The contact it happened to.' }),
    emailId: t.exposeID('emailId', { nullable: true, description: 'The mail it is about; set on every `email.*` event.' }),
    data: t.expose('data', { type: 'JSON', nullable: true, description: 'What was tracked along, or what the event says of itself.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
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
      select: async (args, _ctx, nested) => ({ events: await nested(idWindow('event', args), nodesOf('Event')) }),
      resolve: (contact, args, ctx) => connectEventsOf(ctx, contact, args),
    },
    EventConnection,
  ),
)

const EventCount = builder.objectRef<{ name: string; count: number }>('EventCount').implement({
  description: 'How often an event happened.',
  fields: (t) => ({ name: t.exposeString('name'), count: t.exposeInt('count', { description: 'At most 2 seconds behind.' }) }),
})

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
    description: 'The names of all events that happened, most frequent first, at most 1,000.',
    resolve: async (_parent, _args, ctx) => (await listEventNames(ctx)).eventNames,
  }),
  eventCounts: t.field({
    type: [EventCount],
    description: 'How often each event happened from `startDate` to `endDate` (UTC days, both included), most frequent first.',
    args: { startDate: t.arg({ type: 'DateTime' }), endDate: t.arg({ type: 'DateTime' }) },
    resolve: (_parent, { startDate, endDate }, ctx) =>
      countEvents(ctx, { startDate: startDate ?? undefined, endDate: endDate ?? undefined }),
  }),
}))

builder.mutationField('deleteEventName', (t) =>
  t.int({
    description:
      'Deletes every event of a name: gone from reads at once, removed in the background. Answers how many; names the platform writes itself are refused with `reserved_event`.',
    args: { name: t.arg.string({ required: true, description: 'The name of the events to delete.' }) },
    resolve: async (_parent, args, ctx) => (await deleteEventName(ctx, read(ByEventName, { eventName: args.name }))).deletedCount,
  }),
)
