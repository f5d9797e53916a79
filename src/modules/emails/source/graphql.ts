import { builder } from '../../../kit/builder.ts'
import type { EmailMessage as Shape } from './shapes.ts'
import { getEmailMessage } from './source.ts'

const EmailMessage = builder.objectRef<Shape>('EmailMessage').implement({
  description: 'The message of an email (RFC 5322).',
  fields: (t) => ({
    source: t.exposeString('source', {
      description: 'Header and body with line ends as they are sent (CRLF), at most 32 MB.',
      extensions: { large: true },
    }),
    isExact: t.exposeBoolean('isExact', {
      description:
        'Whether these are the octets that were sent, which only the capture transport stores; they have the links of the recipient. Otherwise the message was rendered again from the content as it was accepted and the data that the contact has now: its tracked links lead to their targets, but neither they nor the pixel are counted, and its links to unsubscribe and to preferences change nothing.',
    }),
  }),
})

builder.queryField('emailSource', (t) =>
  t.field({
    type: EmailMessage,
    nullable: true,
    description:
      'The message of an email as it was sent, or as it would be sent now; reading it is never counted as an open. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it came in, when its content was removed because of its age, and when it cannot be rendered. Costs 100.',
    extensions: { cost: 100 },
    args: { id: t.arg.id({ required: true, description: 'Id of the email.' }) },
    resolve: (_parent, args, ctx) => getEmailMessage(ctx, args),
  }),
)
