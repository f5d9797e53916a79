import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { countEvents, deleteEventName, listContactEvents, listEventNames, listEvents } from './events.ts'
import { ByEventName, EventCounts, EventNames, EventPage, EventPeriod, EventSearch, EventsDeleted, EventsOfContact } from './shapes.ts'

/** Events. */
export const routes = [
  route('GET', '/events', 'secret', EventSearch, EventPage, listEvents, { summary: 'List events, newest first' }),
  route('GET', '/events/stats', 'secret', EventPeriod, EventCounts, countEvents, { summary: 'Count events by name' }),
  route('GET', '/events/names', 'secret', Nothing, EventNames, listEventNames, { summary: 'List event names, most frequent first' }),
  route('GET', '/events/contact/:contactId', 'secret', EventsOfContact, EventPage, listContactEvents, {
    summary: 'List the events of a contact',
  }),
  route('DELETE', '/events/:eventName', 'secret', ByEventName, EventsDeleted, deleteEventName, { summary: 'Delete every event of a name' }),
]
