import { builder } from '../../../kit/builder.ts'
import { enumMadeOf, enumOf } from '../../../kit/zod-input.ts'
import { findEvent } from '../../events/events.ts'
import { ActivityType } from '../types.ts'
import { BounceType } from './shapes.ts'
import { listTimeline, type TimelineEntry } from './timeline.ts'

const Bounce = enumOf('BounceType', BounceType, 'Whether a bounce is for good.', {
  Permanent: 'The address refuses email for good; later email to it is suppressed.',
  Transient: 'It passes, such as that of a full mailbox; the state of the email stays.',
})

const Entry = builder.objectRef<TimelineEntry>('EmailTimelineEntry').implement({
  description: 'Something that happened to an email.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the event.' }),
    event: t.prismaField({
      type: 'Event',
      nullable: true,
      description: 'The event, which has all that is known of it; null once it has been deleted.',
      resolve: (query, { id }, _args, ctx) => findEvent(ctx, { id }, query),
    }),
    type: t.expose('type', {
      type: enumMadeOf(ActivityType),
      description: 'What happened. What has no type of its own, such as the event of a segment, is EVENT_TRIGGERED.',
    }),
    timestamp: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it bounced or failed, or why the contact unsubscribed: a sentence or the answer of a mail server; null otherwise.',
    }),
    copy: t.exposeString('copy', {
      nullable: true,
      description: 'Of EMAIL_COPY_FAILED, the address (cc, bcc) that does not get its copy; null otherwise.',
    }),
    bounceType: t.expose('bounceType', {
      type: Bounce,
      nullable: true,
      description: 'Of EMAIL_BOUNCED, whether it is for good; null otherwise.',
    }),
    link: t.exposeString('link', { nullable: true, description: 'Of EMAIL_CLICKED, where the link leads; null otherwise.' }),
    machine: t.exposeBoolean('machine', {
      nullable: true,
      description:
        'Of EMAIL_OPENED and EMAIL_CLICKED, whether a program did it, such as a mail scanner, as far as can be told; null otherwise.',
    }),
    machineReason: t.exposeString('machineReason', { nullable: true, description: 'Why it looks like a program; null for a person.' }),
  }),
})

builder.prismaObjectField('Email', 'timeline', (t) =>
  t.field({
    type: [Entry],
    description:
      'What happened to it, oldest first, at most 100 entries (`eventsOmitted` has how many more there are): the same as `events`, with the facts that matter by name.',
    // Those of a page are read in one statement.
    extensions: { maxItems: 100, cost: 0.2 },
    select: { id: true, contactId: true, createdAt: true },
    resolve: (email, _args, ctx) => listTimeline(ctx, email),
  }),
)
