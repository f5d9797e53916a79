import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { HeaderText, Moment, Timestamp } from '../../kit/shapes.ts'
import { Place } from '../../kit/walk.ts'

/** The name of an event: 1 to 255 characters on one line. */
export const EventName = HeaderText.min(1)
  .max(255)
  .meta({ description: 'The name of an event, 1 to 255 characters.', examples: ['signed-up'] })

/** What names of events match that the platform does not write itself. */
export const freeEventName =
  /^(?!(email|campaign|workflow)\.)(?!contact\.(un)?subscribed$)(?!project\.changed$)(?!segment\..*\.(entry|exit)$)/

// The same in any case and with spaces around it. An API reference has patterns without flags.
const unlikePlatform = freeEventName.source
  .replaceAll(/[a-z]+/g, (word) => word.replaceAll(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .replaceAll('(?!', '(?!\\s*')
  .replaceAll('$)', '\\s*$)')

/** The name of an event that a caller records. */
export const TrackedEventName = EventName.meta({
  description: 'The name of an event, 1 to 255 characters on one line, not one that the platform writes itself, in whatever case.',
  pattern: `${unlikePlatform}[^\\r\\n]*$`,
  examples: ['signed-up'],
})

/** Something that happened in the project: one line of the log. */
export const Event = z
  .object({
    id: z.string(),
    name: z.string().describe('The tracked name, or a name of the platform such as `email.sent` or `contact.unsubscribed`.'),
    contactId: z.string().nullable().describe('Id of the contact it happened to.'),
    emailId: z.string().nullable().describe('Id of the email it is about; set on every `email.*` event.'),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The data that was tracked with it, or that the platform wrote. Of `project.changed` it is `{ actor: { type, id? }, fields }`: who (`user`, `key` or `system`) changed which fields, never to what.',
      ),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event', description: 'Something that happened in the project: one line of the log.' })
/** Something that happened in the project: one line of the log. */
export type Event = z.output<typeof Event>

/** The conditions of a list of events. */
export const EventFilter = z.object({
  name: z.string().optional().describe('Only events with this name.'),
  contactId: z.string().optional().describe('Only events of this contact.'),
  createdFrom: z.date().optional().describe('Only events at or after this moment.'),
  createdTo: z.date().optional().describe('Only events before this moment.'),
})
/** The conditions of a list of events. */
export type EventFilter = z.output<typeof EventFilter>

/** The query of the list of events: EventFilter as parameters of a URL. */
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

/** The days to count events of. */
export const EventPeriod = z.object({
  startDate: Moment.optional().describe('The first UTC day to count. Default: the first one with events.'),
  endDate: Moment.optional().describe('The last UTC day to count. Default: today.'),
})

/** How often each event happened, most frequent first. */
export const EventCounts = z.array(z.object({ name: z.string(), count: z.number().int() })).meta({ id: 'EventCounts' })

/** The event names of the project, most frequent first; `data` is the same list. */
export const EventNames = z.object({ eventNames: z.array(z.string()), data: z.array(z.string()) }).meta({ id: 'EventNames' })

/** The name, in a path, of events that can be deleted. */
export const ByEventName = z.object({
  eventName: z.string().meta({
    description: 'The name of the events, not one that the platform writes itself.',
    pattern: freeEventName.source,
    examples: ['signed-up'],
  }),
})

/** The name, in a path, of any events. */
export const ByAnyEventName = z.object({ eventName: z.string().meta({ description: 'The name of the events.', examples: ['signed-up'] }) })

const users = (what: string) =>
  z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe(`The ${what} whose own conditions ask for the event, newest first; not those that refer to one of the segments.`)

/** What uses an event, and how often it happened. */
export const EventUsage = z
  .object({
    usedInSegments: users('segments'),
    usedInCampaigns: users('campaigns').describe(
      'The campaigns whose audience is a condition that asks for the event, newest first, of 500: those that are scheduled or being sent, then drafts, then ended ones.',
    ),
    usedInWorkflows: users('workflows').describe(
      'The workflows that it starts or ends, or whose steps wait for it or ask for it, newest first.',
    ),
    totalCount: z.number().int().describe('How often it happened.'),
    uniqueContacts: z
      .number()
      .int()
      .describe('To how many contacts it happened: at most 2 seconds behind, above 100,000 at most 60 seconds old.'),
    canDelete: z.boolean().describe('Whether nothing of these uses it, and its name is not one that the platform writes itself.'),
  })
  .meta({ id: 'EventUsage' })

/** How many events were deleted. */
export const EventsDeleted = z.object({ deletedCount: z.number().int() }).meta({ id: 'EventsDeleted' })

const EraseJob = z.object({ projectId: z.string(), erasureId: z.string() })
/** Removes the events of a deleted name. */
export const eraseEventNameQueue: Queue<z.output<typeof EraseJob>> = { name: 'events-erase', shape: EraseJob }

/** Removes old lines of the log, from a place on. */
export const logRetentionQueue: Queue<Place> = { name: 'events-retention', shape: Place }
