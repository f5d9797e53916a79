import { builder, nodesOf, payloadOf, selectionOf } from '../../kit/builder.ts'
import { connect, idWindow } from '../../kit/paging.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import { countOmittedEvents, listEventsOfEmail } from '../events/relations/email.ts'
import { findTemplate } from '../templates/templates.ts'
import { cancelEmail } from './cancel.ts'
import {
  connectEmails,
  countEmailsOf,
  emailColumns,
  findBounceText,
  findEmail,
  getStoredEmail,
  nextAttemptOf,
  type StoredEmail,
  shownEmail,
  visibleEmail,
  waitingCopiesOf,
  waitOf,
} from './emails.ts'
import { EmailListFilter, EmailSource, EmailStatus, EmailWait } from './shapes.ts'

const Status = enumOf('EmailStatus', EmailStatus, 'The state of an email. `reason` says in a sentence why one was not sent.', {
  PENDING: 'Accepted and durable; waits for a worker or for its next attempt.',
  SENDING: 'A worker is handing it to a mail server.',
  SENT: 'A mail server accepted it.',
  DELIVERED: 'It is known to have reached the mailbox.',
  OPENED: 'It was opened. Every request for its pixel counts, also that of a program: the event `email.open` says whether it was one.',
  CLICKED: 'A link in it was clicked.',
  BOUNCED: 'The address refused it for good; later email to it is suppressed.',
  COMPLAINED: 'The recipient reported it as spam; later email to it is suppressed.',
  FAILED:
    'It will not be sent, for the reason in `reason`: a mail server refused it for good or for 24 hours, it could not be rendered, its project is suspended, or its sender domain was deleted or not verified for 24 hours.',
  CANCELLED:
    'It was cancelled before it was sent: by a call, with its campaign, because its contact was deleted, or because the contact has another address by now.',
  SUPPRESSED:
    'Not sent: the contact is unsubscribed, the address bounced or complained before, or the project put the address on its suppression list.',
  REJECTED: 'The platform refused to send it.',
  RECEIVED: 'It came in, to an address of a domain of the project.',
})
const Source = enumOf('EmailSource', EmailSource, 'What caused an email.', {
  TRANSACTIONAL: 'A call of sendEmail or POST /v1/send.',
  CAMPAIGN: 'A campaign.',
  WORKFLOW: 'A step of a workflow.',
  INBOUND: 'Its sender: it came in, to an address of a domain of the project.',
})

const Wait = enumOf('EmailWait', EmailWait, 'What an email waits for, other than its turn.', {
  CAMPAIGN: 'Its campaign is paused, waits itself, or has sent what it may per hour.',
  DOMAIN: 'Its sender domain is not verified at the moment; it is given up after 24 hours.',
  SENDER: 'Its sender domain rests after too many equal refusals; other domains go on.',
  TRANSPORT: 'The mail server refuses connections or the login; nothing is sent by it meanwhile.',
  WARM_UP: 'Its sender domain has sent what its warm-up allows for the day.',
})

/** One email to one recipient, as GraphQL shows it. */
export const Email = builder.prismaNode('Email', {
  description: 'One email to one recipient, and what became of it.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `eml_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => visibleEmail(projectId, id),
  select: emailColumns,
  fields: (t) => ({
    contact: t.relation('contact', { description: 'The recipient; of an email that came in, its sender.' }),
    template: t.prismaField({
      type: 'Template',
      nullable: true,
      description: 'The template it was made from; null when there was none, and once the template or the content was removed.',
      select: { content: { select: { templateId: true } } },
      resolve: (query, { content }, _args, ctx) => findTemplate(ctx, { id: content?.templateId }, query),
    }),
    to: t.exposeString('toAddress', { description: 'The address it was sent to, as it was at that time.' }),
    toName: t.exposeString('toName', { nullable: true, description: 'The name shown beside the address; null for none.' }),
    subject: t.exposeString('subject', { description: 'The subject as it was given until the email is rendered, then as sent.' }),
    status: t.field({ type: Status, description: 'The state it is in.', resolve: (email) => shownEmail(email).status }),
    reason: t.string({
      nullable: true,
      resolve: (email) => shownEmail(email).reason,
      description: 'Why it was not sent, or what the last temporary failure was: a sentence for people. Null when nothing went wrong.',
    }),
    source: t.expose('source', { type: Source, description: 'What caused it.' }),
    attempts: t.int({ description: 'How often a worker attempted to send it.', resolve: (email) => shownEmail(email).attempts }),
    opens: t.exposeInt('opens', { description: 'How often it was opened; of people and of programs the first 1,000 count.' }),
    clicks: t.exposeInt('clicks', { description: 'How often its links were clicked; of people and of programs the first 1,000 count.' }),
    machineOpens: t.exposeInt('machineOpens', {
      description: 'How many of the `opens` were those of programs, such as mail scanners and Apple Mail Privacy Protection.',
    }),
    machineClicks: t.exposeInt('machineClicks', { description: 'How many of the `clicks` were those of programs, such as link scanners.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When a mail server accepted it.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it reached the mailbox, if known.',
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', nullable: true, description: 'When it was first opened.' }),
    clickedAt: t.expose('clickedAt', { type: 'DateTime', nullable: true, description: 'When a link in it was first clicked.' }),
    bouncedAt: t.expose('bouncedAt', { type: 'DateTime', nullable: true, description: 'When the address refused it.' }),
    complainedAt: t.expose('complainedAt', { type: 'DateTime', nullable: true, description: 'When it was reported as spam.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was accepted.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

builder.prismaObjectFields(Email, (t) => ({
  events: t.prismaField({
    type: ['Event'],
    description: 'What happened to it, oldest first, at most 100 events: where there are more, its last opens and clicks are left out.',
    resolve: (_query, email, _args, ctx) => listEventsOfEmail(ctx, email),
  }),
  nextAttemptAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it is attempted next; null when it may be now, while it is attempted, and once it has ended.',
    resolve: (email) => nextAttemptOf(email),
  }),
  waitsFor: t.field({
    type: Wait,
    nullable: true,
    description: 'What it waits for, other than its turn or the time of its next attempt; null otherwise, and once it has ended.',
    resolve: (email) => waitOf(email),
  }),
  waitingCopies: t.stringList({
    description:
      'The addresses of copies (cc, bcc) that the mail server has put off although it has dealt with the email itself, at most 50: they are attempted again, and nobody else, for 24 hours from the first attempt of the email. What becomes of a copy that is refused stands in `timeline`.',
    resolve: (email) => waitingCopiesOf(email),
  }),
  eventsOmitted: t.int({
    description: 'How many opens and clicks `events` and `timeline` leave out, which `opens` and `clicks` count.',
    select: { id: true, contactId: true, createdAt: true, opens: true, clicks: true },
    resolve: (email, _args, ctx) => countOmittedEvents(ctx, email),
  }),
}))

/** Emails, newest first. */
export const EmailConnection = builder.connectionObject(
  { type: Email, name: 'EmailConnection', description: 'Emails, newest first.' },
  { name: 'EmailEdge' },
)

builder.prismaObjectField('Contact', 'emails', (t) =>
  t.connection(
    {
      type: Email,
      description: 'The emails to the contact, newest first.',
      // What the connection itself needs, also when no nodes are asked for.
      select: async (args, _ctx, nested) => ({
        emails: await nested({ ...idWindow('email', args), select: { id: true } }, nodesOf('Email')),
      }),
      // Every selection of an email contains its columns.
      resolve: (contact, args, ctx) =>
        connect(contact.emails as ((typeof contact.emails)[number] & StoredEmail)[], args, () =>
          countEmailsOf(ctx, { contactId: contact.id }),
        ),
    },
    EmailConnection,
  ),
)

builder.prismaObjectField('Event', 'email', (t) =>
  t.prismaField({
    type: Email,
    nullable: true,
    description: 'The email it is about; null where there is none, and once the email has been deleted.',
    resolve: (query, { emailId }, _args, ctx) => findEmail(ctx, { id: emailId }, query),
  }),
)

const filter = filterOf('EmailFilter', EmailListFilter, 'Which emails a list holds: all conditions apply.')

builder.objectFields('Suppression', (t) => ({
  causedBy: t.prismaField({
    type: 'Email',
    nullable: true,
    description: 'The email that bounced or was reported; null for none, and once the email has been deleted.',
    resolve: (query, { emailId }, _args, ctx) => findEmail(ctx, { id: emailId }, query),
  }),
  reasonText: t.string({
    nullable: true,
    description:
      'What the mail server or provider said when it bounced: a sentence; null where there is none, and once the email has been deleted.',
    // Those of a page are read in two statements.
    extensions: { cost: 0.2 },
    resolve: (suppression, _args, ctx) => findBounceText(ctx, suppression),
  }),
}))

builder.queryFields((t) => ({
  email: t.field({
    type: Email,
    nullable: true,
    description: 'One email; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the email.' }) },
    resolve: (_parent, args, ctx) => getStoredEmail(ctx, args),
  }),
  emails: t.connection(
    {
      type: Email,
      description: 'The emails of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectEmails(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Email')),
    },
    EmailConnection,
  ),
}))

const cancellation = graphqlInput('CancelEmailInput', ById)
const CancelEmailPayload = payloadOf<{ email: StoredEmail }>('CancelEmailPayload', (t) => ({
  email: t.expose('email', { type: Email, description: 'The email as it is now.' }),
}))

builder.mutationField('cancelEmail', (t) =>
  t.field({
    type: CancelEmailPayload,
    description:
      'Cancels an email that waits to be sent: it does not leave after the answer. Fails with RESOURCE_NOT_FOUND, and with CONFLICT once it is with the mail server or has ended.',
    args: cancellation.args(t),
    resolve: async (_parent, args, ctx) => ({ email: await cancelEmail(ctx, cancellation.read(args)) }),
  }),
)
