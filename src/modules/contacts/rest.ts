import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { deleteContact, getContact, listContacts, updateContact, upsertContact } from './contacts.ts'
import {
  Contact,
  ContactChange,
  ContactDraft,
  ContactPage,
  ContactSearch,
  ContactUpserted,
  EventDraft,
  EventTracked,
  TrackDraft,
  TrackResult,
} from './shapes.ts'
import { recordEvent, trackEvent } from './track.ts'

/** Contacts, and the events tracked of them. */
export const routes = [
  route('GET', '/contacts', 'secret', ContactSearch, ContactPage, listContacts, { summary: 'List contacts, newest first' }),
  route('POST', '/contacts', 'secret', ContactDraft, ContactUpserted, upsertContact, {
    summary: 'Create or update a contact by its address',
    status: { of: ({ _meta }) => (_meta.isNew ? 201 : 200), all: [201, 200] },
  }),
  route('GET', '/contacts/:id', 'secret', ById, Contact, getContact, { summary: 'Get a contact', errors: ['CONTACT_NOT_FOUND'] }),
  route('PATCH', '/contacts/:id', 'secret', ContactChange, Contact, updateContact, {
    summary: 'Change a contact',
    errors: ['CONTACT_NOT_FOUND', 'CONFLICT'],
  }),
  route('DELETE', '/contacts/:id', 'secret', ById, Empty, deleteContact, {
    summary: 'Delete a contact with its mails and events',
    status: 204,
    errors: ['CONTACT_NOT_FOUND'],
  }),
  route('POST', '/v1/track', 'public', TrackDraft, TrackResult, trackEvent, {
    summary: 'Record an event of a contact',
    wrap: true,
    idempotent: true,
    errors: ['PROJECT_DISABLED', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH'],
  }),
  route('POST', '/events/track', 'secret', EventDraft, EventTracked, recordEvent, {
    summary: 'Record an event, as /v1/track does or by contact id',
    status: { of: (answer) => ('success' in answer ? 200 : 201), all: [200, 201] },
    idempotent: true,
    errors: ['CONTACT_NOT_FOUND', 'PROJECT_DISABLED'],
  }),
]
