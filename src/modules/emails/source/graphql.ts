import { builder } from '../../../kit/builder.ts'
import { enumMadeOf } from '../../../kit/zod-input.ts'
import { EmailType } from '../../templates/shapes.ts'
import type { ReadMessage } from '../parsing/thread.ts'
import type { NamedAddress as NamedAddressShape } from '../shapes.ts'
import type { EmailMessage as Shape } from './shapes.ts'
import { findEmailMessage } from './source.ts'

const Header = builder.objectRef<ReadMessage['headers'][number]>('EmailHeader').implement({
  description: 'A field of the header of a message.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name as it is written.' }),
    value: t.exposeString('value', { description: 'The value on one line, as it is written.' }),
  }),
})

const Attachment = builder.objectRef<ReadMessage['attachments'][number]>('EmailAttachment').implement({
  description: 'A file of a message; `raw` has its content.',
  fields: (t) => ({
    filename: t.exposeString('filename', { nullable: true, description: 'The name of the file; null for none.' }),
    contentType: t.exposeString('contentType', { description: 'The media type, such as `application/pdf`.' }),
    size: t.exposeInt('size', { description: 'Bytes of the file, decoded.' }),
  }),
})

const rendered =
  'Otherwise the message was rendered again from the content as it was accepted and the data that the contact has now: its tracked links lead to their targets, but neither they nor the pixel are counted, and its links to unsubscribe and to preferences change nothing.'

const EmailMessage = builder.objectRef<Shape>('EmailMessage').implement({
  description: 'The message of an email (RFC 5322).',
  fields: (t) => ({
    html: t.string({
      nullable: true,
      description: 'The HTML body; null for none.',
      extensions: { large: true },
      resolve: async (message) => (await message.read()).html,
    }),
    text: t.string({
      nullable: true,
      description: 'The plain text body; null for none.',
      extensions: { large: true },
      resolve: async (message) => (await message.read()).text,
    }),
    headers: t.field({
      type: [Header],
      description: 'The fields of its header, in order, at most 100.',
      extensions: { maxItems: 100, cost: 0.1 },
      resolve: async (message) => (await message.read()).headers.slice(0, 100),
    }),
    attachments: t.field({
      type: [Attachment],
      description: 'Its files, at most 10.',
      extensions: { maxItems: 10 },
      resolve: async (message) => (await message.read()).attachments.slice(0, 10),
    }),
    raw: t.string({
      description: 'Header and body with line ends as they are sent (CRLF), at most 32 MB.',
      extensions: { large: true },
      resolve: (message) => message.raw(),
    }),
    isExact: t.exposeBoolean('isExact', {
      description: `Whether these are the octets that were sent, which only the capture transport stores; they have the links of the recipient. ${rendered}`,
    }),
  }),
})

const NamedAddress = builder.objectRef<NamedAddressShape>('NamedAddress').implement({
  description: 'An address with a name, as mail programs show it.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address.' }),
    name: t.string({ nullable: true, description: 'The name beside it; null for none.', resolve: ({ name }) => name ?? null }),
  }),
})

const removed = 'for an email that came in, and once its content was removed because of its age (CONTENT_RETENTION_DAYS)'

// What is the same for all recipients of a call: read with the emails of a list in one statement.
builder.prismaObjectFields('Email', (t) => ({
  from: t.string({
    nullable: true,
    description: `The address of the sender; null ${removed}.`,
    select: { content: { select: { fromAddress: true } } },
    resolve: ({ content }) => content?.fromAddress ?? null,
  }),
  fromName: t.string({
    nullable: true,
    description: `The name of the sender; null for none, ${removed}.`,
    select: { content: { select: { fromName: true } } },
    resolve: ({ content }) => content?.fromName ?? null,
  }),
  replyTo: t.string({
    nullable: true,
    description: `The address replies go to; null for the sender, ${removed}.`,
    select: { content: { select: { replyTo: true } } },
    resolve: ({ content }) => content?.replyTo ?? null,
  }),
}))

builder.prismaObjectFields('Email', (t) => ({
  cc: t.field({
    type: [NamedAddress],
    description: `Who got a copy that everybody sees, at most 50; empty ${removed}.`,
    select: { content: { select: { cc: true } } },
    extensions: { maxItems: 50, cost: 0.1 },
    resolve: ({ content }) => (content?.cc ?? []) as NamedAddressShape[],
  }),
  bcc: t.field({
    type: [NamedAddress],
    description: `Who got a copy that nobody else sees, at most 50; empty ${removed}.`,
    select: { content: { select: { bcc: true } } },
    extensions: { maxItems: 50, cost: 0.1 },
    resolve: ({ content }) => (content?.bcc ?? []) as NamedAddressShape[],
  }),
  tags: t.stringList({
    description: `The labels that it was sent with, at most 10; empty ${removed}.`,
    select: { content: { select: { tags: true } } },
    extensions: { maxItems: 10 },
    resolve: ({ content }) => (content?.tags ?? []) as string[],
  }),
  type: t.field({
    type: enumMadeOf(EmailType),
    nullable: true,
    description: `What kind of email it is; null ${removed}.`,
    select: { content: { select: { type: true } } },
    resolve: ({ content }) => content?.type ?? null,
  }),
}))

builder.prismaObjectField('Email', 'message', (t) =>
  t.field({
    type: EmailMessage,
    nullable: true,
    description: `The message as it was sent, or as it would be sent now, which is never counted as an open; null ${removed}. Fails with CONFLICT when it cannot be rendered, and with SERVICE_UNAVAILABLE when its turn has not come after 15 s. Costs 100.`,
    extensions: { cost: 100, waits: true },
    resolve: ({ id }, _args, ctx) => findEmailMessage(ctx, { id }),
  }),
)
