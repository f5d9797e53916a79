import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { HeaderText, Moment, Timestamp } from '../../kit/shapes.ts'

/** The name of an event: 1 to 255 characters on one line. */
export const EventName = HeaderText.min(1)
  .max(255)
  .meta({ description: 'The name of an event, 1 to 255 characters.', examples: ['signed-up'] })

/** A line of the log: something that happened in the project. */
export const Event = z
  .object({
    id: z.string(),
    name: z.string().describe('Tracked name, or one of ours such as `email.sent` or `contact.unsubscribed`.'),
    contactId: z.string().nullable().describe('The contact it happened to.'),
    emailId: z.string().nullable().describe('The mail it is about; set on every `email.*` event.'),
    data: z.record(z.string(), z.unknown()).nullable().describe('What was sent along, or what the event says of itself.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event', description: 'Something that happened: one line of the log.' })
/** A line of the log: something that happened in the project. */
export type Event = z.output<typeof Event>

/** What events can be searched by. */
export const EventFilter = z.object({
  name: z.string().optional().describe('Only events of this name.'),
  contactId: z.string().optional().describe('Only events of this contact.'),
  from: z.date().optional().describe('Only events at or after this moment.'),
  to: z.date().optional().describe('Only events before this moment.'),
})
/** What events can be searched by. */
export type EventFilter = z.output<typeof EventFilter>

/** The query of the list of events: EventFilter as it is written in a URL. */
export const EventSearch = CursorSearch.extend({
  eventName: EventFilter.shape.name,
  contactId: EventFilter.shape.contactId,
  from: Moment.optional().describe('Only events at or after this moment.'),
  to: Moment.optional().describe('Only events before this moment.'),
})
/** The query of the list of events. */
export type EventSearch = z.output<typeof EventSearch>

/** A page of events, newest first; `events` is the same list as `data`. */
export const EventPage = pageOf(Event)
  .extend({ events: z.array(Event) })
  .meta({ id: 'EventPage' })

/** The events of one contact. */
export const EventsOfContact = CursorSearch.extend({ contactId: z.string() })

/** The days to count. */
export const EventPeriod = z.object({
  startDate: Moment.optional().describe('First UTC day that is counted.'),
  endDate: Moment.optional().describe('Last UTC day that is counted.'),
})

/** How often each event happened, most frequent first. */
export const EventCounts = z.array(z.object({ name: z.string(), count: z.number().int() })).meta({ id: 'EventCounts' })

/** The event names of the project, most frequent first; `data` is the same list. */
export const EventNames = z.object({ eventNames: z.array(z.string()), data: z.array(z.string()) }).meta({ id: 'EventNames' })

/** An event name in a path. */
export const ByEventName = z.object({ eventName: z.string().describe('The name of the events.') })

/** How many events were deleted. */
export const EventsDeleted = z.object({ deletedCount: z.number().int() }).meta({ id: 'EventsDeleted' })

const EraseJob = z.object({ projectId: z.string(), erasureId: z.string() })
/** Removes the lines of an event name that was deleted. */
export const eraseQueue: Queue<z.output<typeof EraseJob>> = { name: 'events-erase', shape: EraseJob }
