import { builder, payloadOf } from '../../../kit/builder.ts'
import { enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { findContact } from '../../contacts/contacts.ts'
import { keyed } from '../../idempotency/keyed.ts'
import { IdempotencyKey, replayedHint } from '../../idempotency/shapes.ts'
import { findEmail } from '../emails.ts'
import { sendEmail } from './send.ts'
import { Disposition, SendDraft, type SendResult } from './shapes.ts'

const SentEmail = builder.objectRef<SendResult['emails'][number]>('SentEmail').implement({
  description: 'One recipient of a call, and the email to it.',
  fields: (t) => ({
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The recipient; null once the contact has been deleted.',
      resolve: (query, { contact }, _args, ctx) => findContact(ctx, contact, query),
    }),
    contactId: t.id({ description: 'Id of the recipient, also once the contact has been deleted.', resolve: ({ contact }) => contact.id }),
    email: t.prismaField({
      type: 'Email',
      nullable: true,
      description: 'The email; null once its contact has been deleted.',
      resolve: (query, { email }, _args, ctx) => findEmail(ctx, { id: email }, query),
    }),
    emailId: t.exposeID('email', { description: 'Id of the email, also once its contact has been deleted.' }),
  }),
})

const SendEmailPayload = payloadOf<SendResult & { replayed: boolean }>('SendEmailPayload', (t) => ({
  emails: t.field({ type: [SentEmail], description: 'One per recipient, in the order of `to`.', resolve: ({ emails }) => emails }),
  timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When the emails were accepted.' }),
  replayed: t.exposeBoolean('replayed', { description: replayedHint }),
}))

enumOf('AttachmentDisposition', Disposition, 'How a mail program shows an attachment.', {
  attachment: 'Listed as a file.',
  inline: 'Shown where the body links to its contentId.',
})
const send = graphqlInput('SendEmailInput', SendDraft.safeExtend({ idempotencyKey: IdempotencyKey }), {
  names: { template: 'templateId', reply: 'replyTo' },
})

builder.mutationField('sendEmail', (t) =>
  t.field({
    type: SendEmailPayload,
    extensions: { waits: true },
    description:
      'Sends a transactional email to 1 to 1,000 recipients, each with a contact and an email of its own. When it answers, all emails are durable and will be delivered. Fails with DOMAIN_NOT_VERIFIED, TEMPLATE_NOT_FOUND, PAYLOAD_TOO_LARGE (over 40 MB composed), and BILLING_LIMIT_EXCEEDED, when none of the emails is sent.',
    args: send.args(t),
    resolve: (_parent, args, ctx) => {
      const { idempotencyKey, ...draft } = send.read(args)
      return keyed(ctx, sendEmail, draft, idempotencyKey)
    },
  }),
)
