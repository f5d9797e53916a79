import { builder } from '../../../kit/builder.ts'
import { inputOf } from '../../../kit/zod-input.ts'
import { findContactById } from '../../contacts/contacts.ts'
import { keyed } from '../../idempotency/keyed.ts'
import { idempotencyKeyHint, replayedHint } from '../../idempotency/shapes.ts'
import { findEmail } from '../emails.ts'
import { sendEmail } from './send.ts'
import { SendDraft, type SendResult as SendShape } from './shapes.ts'

const SentEmail = builder.objectRef<SendShape['emails'][number]>('SentEmail').implement({
  description: 'One recipient of a call, and the mail on its way.',
  fields: (t) => ({
    contactId: t.id({ resolve: ({ contact }) => contact.id }),
    emailId: t.exposeID('email'),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The recipient; null once it has been deleted.',
      resolve: (query, { contact }, _args, ctx) => findContactById(ctx, { id: contact.id }, query),
    }),
    email: t.prismaField({
      type: 'Email',
      nullable: true,
      description: 'The mail; null once its contact has been deleted.',
      resolve: (query, { email }, _args, ctx) => findEmail(ctx, { id: email }, query),
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

const send = inputOf('SendEmailInput', SendDraft)

builder.mutationField('sendEmail', (t) =>
  t.field({
    type: SendResult,
    description:
      'Sends a transactional mail to 1 to 1,000 recipients, each with a contact and a mail of its own; always at once. When it answers, everything is durable. Fails with DOMAIN_NOT_VERIFIED, TEMPLATE_NOT_FOUND, PAYLOAD_TOO_LARGE (over 40 MB composed), BILLING_LIMIT_EXCEEDED (then none of its mails is sent).',
    args: { ...send.args(t), idempotencyKey: t.arg.string({ description: idempotencyKeyHint }) },
    resolve: (_parent, { idempotencyKey, ...args }, ctx) => keyed(ctx, sendEmail, send.read(args), idempotencyKey),
  }),
)
