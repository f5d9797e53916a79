import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import { countMayFail } from '../../kit/field-nullability.ts'
import { read } from '../../kit/problems.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, filterOf, graphqlInput, orderOf } from '../../kit/zod-input.ts'
import { findEvent } from '../events/events.ts'
import { keyed } from '../idempotency/keyed.ts'
import { IdempotencyKey, replayedHint } from '../idempotency/shapes.ts'
import { connectContacts } from './audience/list.ts'
import { deleteContact, findContact, findContactData, getContact, updateContact, upsertContact, visibleContact } from './contacts.ts'
import { contactSelection } from './fields/columns.ts'
import { type FoundContacts, findContactByEmail, findContactsByEmail } from './lookup.ts'
import {
  ContactChange,
  ContactDraft,
  ContactFilter,
  ContactLookup,
  ContactOrder,
  type Contact as ContactShape,
  ContactSort,
  SortDirection,
  TrackDraft,
  type TrackResult,
} from './shapes.ts'
import { trackEvent } from './track.ts'

/** A contact, as GraphQL shows it. */
export const Contact = builder.prismaNode('Contact', {
  description:
    'A person email can be sent to. Its address is unique within the project. `GET /contacts/:id/export` answers its data, events and emails as JSON.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `cnt_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => visibleContact(projectId, id),
  select: contactSelection,
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address, lower-cased.' }),
    subscribed: t.exposeBoolean('subscribed', { description: 'Whether marketing email may be sent to the contact.' }),
    data: t.field({
      type: 'JSON',
      resolve: (contact, _args, ctx) => findContactData(ctx, contact),
      description: 'Custom fields. Those of very many contacts at once, with more than 32 MB together, fail with PAYLOAD_TOO_LARGE.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

/** Contacts in an order. */
const ContactConnection = builder.connectionObject(
  { type: Contact, name: 'ContactConnection', description: 'Contacts in an order.', extensions: { [countMayFail]: true } },
  { name: 'ContactEdge' },
)

builder.prismaObjectField('Event', 'contact', (t) =>
  t.prismaField({
    type: Contact,
    nullable: true,
    description: 'The contact it happened to; null where there is none.',
    resolve: (query, { contactId }, _args, ctx) => findContact(ctx, { id: contactId }, query),
  }),
)

builder.objectField('Suppression', 'contact', (t) =>
  t.prismaField({
    type: Contact,
    nullable: true,
    description: 'The contact of the address; null where there is none.',
    resolve: (query, { email }, _args, ctx) => findContactByEmail(ctx, { email }, query),
  }),
)

enumOf('ContactSort', ContactSort, 'What a list of contacts is ordered by.', {
  createdAt: 'When they were created.',
  email: 'Their address.',
})
enumOf('SortDirection', SortDirection, 'The direction of an order.', {
  asc: 'From the lowest, the oldest or A.',
  desc: 'From the highest, the newest or Z.',
})
const order = orderOf('ContactOrder', ContactOrder, 'The order of the list. A cursor belongs to one order.')
const filter = filterOf('ContactFilter', ContactFilter, 'Which contacts are meant: all conditions apply; `{}` means every contact.')

const FoundContact = builder.objectRef<FoundContacts['found'][number]>('FoundContact').implement({
  description: 'An address that has a contact.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address as it was asked for.' }),
    contact: t.prismaField({
      type: Contact,
      nullable: true,
      description: 'Its contact; null once it has been deleted.',
      resolve: (query, { contactId }, _args, ctx) => findContact(ctx, { id: contactId }, query),
    }),
  }),
})

const Lookup = builder.objectRef<FoundContacts>('ContactLookup').implement({
  description: 'Which addresses have a contact, in the order in which they were asked for, each spelling once.',
  fields: (t) => ({
    found: t.expose('found', { type: [FoundContact], description: 'The addresses that have a contact.', extensions: { maxItems: 500 } }),
    notFound: t.exposeStringList('notFound', { description: 'The others, as they were asked for.' }),
  }),
})

builder.queryFields((t) => ({
  contactLookup: t.field({
    type: Lookup,
    description: 'Which of 1 to 500 addresses have a contact, in any spelling; what is not an address is not found.',
    args: { emails: t.arg.stringList({ required: true, description: 'The addresses, 1 to 500.' }) },
    resolve: (_parent, args, ctx) => findContactsByEmail(ctx, read(ContactLookup, args)),
  }),
  contact: t.field({
    type: Contact,
    nullable: true,
    description: 'One contact; fails with CONTACT_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the contact.' }) },
    resolve: (_parent, args, ctx) => getContact(ctx, args),
  }),
  contacts: t.connection(
    {
      type: Contact,
      description:
        'The contacts of the project, newest first unless `orderBy` says otherwise. With `segmentId` or `condition` every contact may be compared: reading the page, and counting for `totalCount`, may take 15 s each, then it fails with SERVICE_UNAVAILABLE. Fails with SEGMENT_NOT_FOUND, and with VALIDATION_ERROR for a condition that names segments that do not exist. `GET /contacts/export` streams them as CSV, all or by `search` and `segmentId`.',
      args: { ...filter.args(t), ...order.args(t) },
      resolve: async (_parent, args, ctx, info) =>
        connectContacts(ctx, { filter: filter.read(args), orderBy: order.read(args) }, args, await selectionOf(ctx, info, 'Contact')),
    },
    ContactConnection,
  ),
}))

const draft = graphqlInput('UpsertContactInput', ContactDraft)
const change = graphqlInput('UpdateContactInput', ContactChange, { description: 'What is left out stays as it is.' })
const deletion = graphqlInput('DeleteContactInput', ById)
const track = graphqlInput('TrackEventInput', TrackDraft.extend({ idempotencyKey: IdempotencyKey }))

const UpsertContactPayload = payloadOf<{ contact: ContactShape; created: boolean }>('UpsertContactPayload', (t) => ({
  contact: t.expose('contact', { type: Contact, description: 'The contact as it is now.' }),
  created: t.exposeBoolean('created', { description: 'True when the address was new, false when its contact was updated.' }),
}))
const UpdateContactPayload = payloadOf<{ contact: ContactShape }>('UpdateContactPayload', (t) => ({
  contact: t.expose('contact', { type: Contact, description: 'The contact as it is now.' }),
}))
const DeleteContactPayload = payloadOf<{ id: string }>('DeleteContactPayload', (t) => ({
  deletedContactId: t.exposeID('id', { description: 'Id of the contact that was deleted.' }),
}))
const TrackEventPayload = payloadOf<TrackResult & { replayed: boolean }>('TrackEventPayload', (t) => ({
  contact: t.prismaField({
    type: 'Contact',
    nullable: true,
    description: 'The contact; null once it has been deleted.',
    resolve: (query, { contact }, _args, ctx) => findContact(ctx, { id: contact }, query),
  }),
  contactId: t.exposeID('contact', { description: 'Id of the contact, also once it has been deleted.' }),
  event: t.prismaField({
    type: 'Event',
    nullable: true,
    description: 'The recorded event; null once it has been deleted.',
    resolve: (query, { event }, _args, ctx) => findEvent(ctx, { id: event }, query),
  }),
  eventId: t.exposeID('event', { description: 'Id of the recorded event, also once it has been deleted.' }),
  timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When the event was recorded.' }),
  replayed: t.exposeBoolean('replayed', { description: replayedHint }),
}))

const changeDescription =
  'Changes a contact; one that takes an address which had opted out is unsubscribed, unless the call subscribes it. Fails with CONTACT_NOT_FOUND, and with CONFLICT when another contact of the project has the address.'

builder.mutationFields((t) => ({
  upsertContact: t.field({
    extensions: { waits: true },
    type: UpsertContactPayload,
    description:
      'Creates a contact, or updates the one with this address. A change of `subscribed` is logged as `contact.subscribed` or `contact.unsubscribed`.',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => {
      const { _meta, ...contact } = await upsertContact(ctx, draft.read(args))
      return { contact, created: _meta.isNew }
    },
  }),
  updateContact: t.field({
    extensions: { waits: true },
    type: UpdateContactPayload,
    description: changeDescription,
    args: change.args(t),
    resolve: async (_parent, args, ctx) => ({ contact: await updateContact(ctx, change.read(args)) }),
  }),
  deleteContact: t.field({
    extensions: { waits: true },
    type: DeleteContactPayload,
    description:
      'Deletes a contact with its emails and events: invisible at once, removed in the background; no email to it leaves after the answer. For 30 days after an email has left, its id and a keyed hash of its address stay: a bounce or complaint that comes later counts, suppresses the address, and unsubscribes whoever has it by then. Fails with CONTACT_NOT_FOUND.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteContact(ctx, { id })
      return { id }
    },
  }),
}))

builder.mutationFields((t) => ({
  trackEvent: t.field({
    type: TrackEventPayload,
    description:
      'Records an event of a contact, which is created when the address is new, and merges `data` into the contact. Names of events that the platform writes itself are refused with VALIDATION_ERROR (`reserved_event`).',
    args: track.args(t),
    resolve: (_parent, args, ctx) => {
      const { idempotencyKey, ...event } = track.read(args)
      return keyed(ctx, trackEvent, event, idempotencyKey)
    },
  }),
}))
