import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { listContacts } from './audience/list.ts'
import { deleteContact, getContact, updateContact, upsertContact } from './contacts.ts'
import { lookupContacts } from './lookup.ts'
import {
  Contact,
  ContactChange,
  ContactDraft,
  ContactLookup,
  ContactPage,
  ContactSearch,
  ContactsFound,
  ContactUpserted,
  EventDraft,
  EventTracked,
  TrackDraft,
  TrackResult,
} from './shapes.ts'
import { recordEvent, trackEvent } from './track.ts'

/** Contacts, and the tracking of their events. */
export const routes = [
  route('GET', '/contacts', 'secret', ContactSearch, ContactPage, listContacts, {
    summary: 'List contacts, newest first or in another order',
    errors: ['SEGMENT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  route('POST', '/contacts', 'secret', ContactDraft, ContactUpserted, upsertContact, {
    summary: 'Create or update a contact by its address',
    status: { of: ({ _meta }) => (_meta.isNew ? 201 : 200), all: [201, 200] },
  }),
  route('POST', '/contacts/lookup', 'secret', ContactLookup, ContactsFound, lookupContacts, {
    summary: 'Find out which addresses have a contact',
    description: 'Addresses are compared as contacts are stored and returned as they were sent. Changes nothing.',
    reads: true,
  }),
  route('GET', '/contacts/:id', 'secret', ById, Contact, getContact, { summary: 'Get a contact', errors: ['CONTACT_NOT_FOUND'] }),
  route('PATCH', '/contacts/:id', 'secret', ContactChange, Contact, updateContact, {
    summary: 'Change a contact',
    description: 'A contact that takes an address which had opted out is unsubscribed, unless the call subscribes it.',
    errors: ['CONTACT_NOT_FOUND', 'CONFLICT'],
  }),
  route('DELETE', '/contacts/:id', 'secret', ById, Empty, deleteContact, {
    summary: 'Delete a contact with its emails and events',
    description:
      'The contact is invisible at once, its address is free again, and no email to it leaves after the answer; the data is removed in the background. For 30 days after an email has left, its id and a keyed hash of its address stay: a bounce or complaint that comes later counts, suppresses the address, and unsubscribes whoever has it by then.',
    status: 204,
    errors: ['CONTACT_NOT_FOUND'],
  }),
  route('POST', '/v1/track', 'public', TrackDraft, TrackResult, trackEvent, {
    summary: 'Track an event of a contact',
    description:
      'Creates the contact when its address is new, and merges `data` into it. Names of events that the platform writes itself are refused.',
    wrap: true,
    idempotent: true,
  }),
  route('POST', '/events/track', 'secret', EventDraft, EventTracked, recordEvent, {
    summary: 'Track an event by address or by contact id',
    description:
      'With `email` and `event` it does the same as `POST /v1/track`. With `name` and an optional `contactId` it records an event and changes no contact.',
    status: { of: (answer) => ('success' in answer ? 200 : 201), all: [200, 201] },
    idempotent: true,
    errors: ['CONTACT_NOT_FOUND'],
  }),
]
