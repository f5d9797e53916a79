import { builder } from '../../kit/builder.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { findRecipient, findSentEmail, findTrackedEvent } from './found.ts'
import { keyed } from './keyed.ts'
import { sendEmail } from './send.ts'
import { SendDraft, type SendResult as SendShape, TrackDraft, type TrackResult as TrackShape } from './shapes.ts'
import { trackEvent } from './track.ts'

const keyHint =
  '1 to 255 printable ASCII characters: repeating the call with the same key within 24 hours answers the first answer again and does nothing. The header Idempotency-Key says the same.'
const replayedHint = 'Whether this is the first answer to the same idempotency key, told again.'

const SentEmail = builder.objectRef<SendShape['emails'][number]>('SentEmail').implement({
  description: 'One recipient of a call, and the mail on its way.',
  fields: (t) => ({
    contactId: t.id({ resolve: ({ contact }) => contact.id }),
    emailId: t.exposeID('email'),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The recipient; null once it has been deleted.',
      resolve: (query, { contact }, _args, ctx) => findRecipient(ctx, contact.id, query),
    }),
    email: t.prismaField({
      type: 'Email',
      nullable: true,
      description: 'The mail; null once its contact has been deleted.',
      resolve: (query, { email }, _args, ctx) => findSentEmail(ctx, email, query),
    }),
  }),
})

const SendResult = builder.objectRef<SendShape & { replayed: boolean }>('SendResult').implement({
  description: 'The mails that were accepted: durable, and on their way.',
  fields: (t) => ({
    emails: t.field({ type: [SentEmail], description: 'In the order of `to`.', resolve: ({ emails }) => emails }),
    timestamp: t.expose('timestamp', { type: 'DateTime' }),
    replayed: t.exposeBoolean('replayed', { description: replayedHint }),
  }),
})

const TrackResult = builder.objectRef<TrackShape & { replayed: boolean }>('TrackResult').implement({
  description: 'The contact and the event that was recorded.',
  fields: (t) => ({
    contactId: t.exposeID('contact'),
    eventId: t.exposeID('event'),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact; null once it has been deleted.',
      resolve: (query, { contact }, _args, ctx) => findRecipient(ctx, contact, query),
    }),
    event: t.prismaField({
      type: 'Event',
      nullable: true,
      description: 'The event; null once it has been deleted.',
      resolve: (query, { event }, _args, ctx) => findTrackedEvent(ctx, event, query),
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime' }),
    replayed: t.exposeBoolean('replayed', { description: replayedHint }),
  }),
})

const send = inputOf('SendEmailInput', SendDraft)
const track = inputOf('TrackEventInput', TrackDraft)

builder.mutationFields((t) => ({
  sendEmail: t.field({
    type: SendResult,
    description:
      'Sends a transactional mail to 1 to 1,000 recipients, each with a contact and a mail of its own; always at once. When it answers, everything is durable. Fails with DOMAIN_NOT_VERIFIED, TEMPLATE_NOT_FOUND, PAYLOAD_TOO_LARGE (over 40 MB composed), BILLING_LIMIT_EXCEEDED (then none of its mails is sent).',
    args: { ...send.args(t), idempotencyKey: t.arg.string({ description: keyHint }) },
    resolve: (_parent, { idempotencyKey, ...args }, ctx) => keyed(ctx, sendEmail, send.read(args), idempotencyKey),
  }),
  trackEvent: t.field({
    type: TrackResult,
    description:
      'Records an event for a contact, which is created when it is new, and merges `data` into it. Names the platform writes itself are refused with `reserved_event`.',
    args: { ...track.args(t), idempotencyKey: t.arg.string({ description: keyHint }) },
    resolve: (_parent, { idempotencyKey, ...args }, ctx) => keyed(ctx, trackEvent, track.read(args), idempotencyKey),
  }),
}))
