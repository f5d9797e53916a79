import { builder, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { filterOf, inputOf } from '../../kit/zod-input.ts'
import { findEvent } from '../events/events.ts'
import { keyed } from '../idempotency/keyed.ts'
import { idempotencyKeyHint, replayedHint } from '../idempotency/shapes.ts'
import { connectContacts, contactColumns, deleteContact, findContactById, getContact, updateContact, upsertContact } from './contacts.ts'
import {
  ContactChange,
  ContactDraft,
  ContactFilter,
  type Contact as ContactRecord,
  TrackDraft,
  type TrackResult as TrackShape,
} from './shapes.ts'
import { trackEvent } from './track.ts'

/** A contact, as GraphQL shows it. */
export const Contact = builder.prismaNode('Contact', {
  description: 'A person mail can be sent to. Its address is unique within the project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `cnt_`.' },
  nullable: true,
  findUnique: (id, ctx) => ({ projectId_id: { projectId: ctx.projectId, id }, deletedAt: null }),
  select: contactColumns,
  fields: (t) => ({
    email: t.exposeString('email', { description: 'Trimmed and lower-cased.' }),
    subscribed: t.exposeBoolean('subscribed', { description: 'Whether marketing mail may be sent to the contact.' }),
    data: t.expose('data', { type: 'JSON', description: 'Custom fields.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

/** Contacts, newest first. */
const ContactConnection = builder.connectionObject(
  { type: Contact, name: 'ContactConnection', description: 'Contacts, newest first.' },
  { name: 'ContactEdge' },
)

const UpsertedContact = builder.objectRef<ContactRecord & { _meta: { isNew: boolean } }>('UpsertedContact').implement({
  description: 'The contact, and whether the call made it.',
  fields: (t) => ({
    contact: t.field({ type: Contact, description: 'The contact as it is now.', resolve: (upserted) => upserted }),
    isNew: t.boolean({
      description: 'True when the address was new, false when its contact was updated.',
      resolve: ({ _meta }) => _meta.isNew,
    }),
  }),
})

const filter = filterOf('ContactFilter', ContactFilter, 'Which contacts a list holds: all conditions apply.')

builder.queryFields((t) => ({
  contact: t.field({
    type: Contact,
    nullable: true,
    description: 'One contact; fails with CONTACT_NOT_FOUND.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_parent, args, ctx) => getContact(ctx, args),
  }),
  contacts: t.connection(
    {
      type: Contact,
      description: 'The contacts of the project, newest first.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectContacts(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Contact')),
    },
    ContactConnection,
  ),
}))

const draft = inputOf('UpsertContactInput', ContactDraft)
const change = inputOf('UpdateContactInput', ContactChange, 'What is left out stays as it is.')
const one = inputOf('DeleteContactInput', ById)

builder.mutationFields((t) => ({
  upsertContact: t.field({
    type: UpsertedContact,
    description:
      'Creates a contact, or updates the one with this address. A change of `subscribed` emits `contact.subscribed` or `contact.unsubscribed`.',
    args: draft.args(t),
    resolve: (_parent, args, ctx) => upsertContact(ctx, draft.read(args)),
  }),
  updateContact: t.field({
    type: Contact,
    description: 'Changes a contact. Fails with CONTACT_NOT_FOUND, or CONFLICT when another contact of the project has the address.',
    args: change.args(t),
    resolve: (_parent, args, ctx) => updateContact(ctx, change.read(args)),
  }),
  deleteContact: t.field({
    type: 'ID',
    description:
      'Deletes a contact with its mails and events: gone from reads at once, removed in the background. Answers its id; fails with CONTACT_NOT_FOUND.',
    args: one.args(t),
    resolve: (_parent, args, ctx) => deleteContact(ctx, one.read(args)).then(() => one.read(args).id),
  }),
}))

const TrackResult = builder.objectRef<TrackShape & { replayed: boolean }>('TrackResult').implement({
  description: 'The contact and the event that was recorded.',
  fields: (t) => ({
    contactId: t.exposeID('contact'),
    eventId: t.exposeID('event'),
    contact: t.prismaField({
      type: 'Contact',
      nullable: true,
      description: 'The contact; null once it has been deleted.',
      resolve: (query, { contact }, _args, ctx) => findContactById(ctx, { id: contact }, query),
    }),
    event: t.prismaField({
      type: 'Event',
      nullable: true,
      description: 'The event; null once it has been deleted.',
      resolve: (query, { event }, _args, ctx) => findEvent(ctx, { id: event }, query),
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime' }),
    replayed: t.exposeBoolean('replayed', { description: replayedHint }),
  }),
})

const track = inputOf('TrackEventInput', TrackDraft)

builder.mutationField('trackEvent', (t) =>
  t.field({
    type: TrackResult,
    description:
      'Records an event for a contact, which is created when it is new, and merges `data` into it. Names the platform writes itself are refused with `reserved_event`.',
    args: { ...track.args(t), idempotencyKey: t.arg.string({ description: idempotencyKeyHint }) },
    resolve: (_parent, { idempotencyKey, ...args }, ctx) => keyed(ctx, trackEvent, track.read(args), idempotencyKey),
  }),
)
