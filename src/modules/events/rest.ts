import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { countEvents, listEventNames } from './counter/names.ts'
import { deleteEventName, listContactEvents, listEvents } from './events.ts'
import {
  ByAnyEventName,
  ByEventName,
  EventCounts,
  EventNames,
  EventPage,
  EventPeriod,
  EventSearch,
  EventsDeleted,
  EventsOfContact,
  EventUsage,
} from './shapes.ts'
import { getEventUsage } from './usage.ts'

/** The endpoints that list, count and delete events. */
export const routes = [
  route('GET', '/events', 'secret', EventSearch, EventPage, listEvents, { summary: 'List events, newest first' }),
  route('GET', '/events/stats', 'secret', EventPeriod, EventCounts, countEvents, {
    summary: 'Count events by name',
    description:
      'Most frequent first, at most 1,000 names. The counts are at most 2 seconds behind, 10 seconds where names and days make more than 10,000 of them.',
  }),
  route('GET', '/events/names', 'secret', Nothing, EventNames, listEventNames, {
    summary: 'List event names, most frequent first',
    description: 'At most 1,000 names, at most 2 seconds behind, 10 seconds where names and days make more than 10,000 counts.',
  }),
  route('GET', '/events/contact/:contactId', 'secret', EventsOfContact, EventPage, listContactEvents, {
    summary: 'List the events of a contact, newest first',
    errors: ['CONTACT_NOT_FOUND'],
  }),
  route('GET', '/events/:eventName/usage', 'secret', ByAnyEventName, EventUsage, getEventUsage, {
    summary: 'Get what uses an event, and how often it happened',
    description: 'Look here before deleting it: segments whose conditions ask for it would have other members.',
  }),
  route('DELETE', '/events/:eventName', 'secret', ByEventName, EventsDeleted, deleteEventName, {
    summary: 'Delete all events with a name',
    description:
      'The events are no longer returned from then on and are removed in the background. Bulk operations, exports, and campaigns whose recipients are being fixed, end if they go on by a condition that asks it. Names that the platform itself writes are refused with `reserved_event`.',
    errors: ['VALIDATION_ERROR'],
  }),
]
