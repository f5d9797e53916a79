import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import type { Queue } from '../../kit/jobs.ts'
import { CursorSearch, pageOf } from '../../kit/paging.ts'
import { CustomData, EmailAddress, Flag, Timestamp } from '../../kit/shapes.ts'
import { Event, TrackedEventName } from '../events/shapes.ts'
import { Condition } from '../filters/condition.ts'

/** A person to whom email can be sent. */
export const Contact = z
  .object({
    id: z.string().meta({ examples: ['cnt_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string().meta({
      format: 'idn-email',
      description: 'Unique within the project, lower-cased; an international domain is in Unicode.',
      examples: ['ada@example.com'],
    }),
    subscribed: z.boolean().describe('Whether marketing email may be sent to the contact.'),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Custom fields.', examples: [{ plan: 'pro' }] }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Contact', description: 'A person to whom email can be sent.' })
/** A person to whom email can be sent. */
export type Contact = z.output<typeof Contact>

const subscribed = z
  .boolean()
  .describe(
    'Whether marketing email may be sent to the contact. Default: true for a new contact, unchanged for an existing one. `false` opts an existing contact out, also one that was never subscribed; a new one is not subscribed.',
  )

/** The input to create or update a contact by its address. */
export const ContactDraft = z
  .object({ email: EmailAddress, subscribed: subscribed.optional(), data: CustomData.optional() })
  .meta({ id: 'ContactDraft' })
/** The input to create or update a contact by its address. */
export type ContactDraft = z.output<typeof ContactDraft>

/** The contact, and whether the call created it. */
export const ContactUpserted = Contact.extend({
  _meta: z.object({ isNew: z.boolean(), isUpdate: z.boolean() }).describe('Whether the call created the contact or updated it.'),
}).meta({ id: 'ContactUpserted' })

/** Changes to a contact; fields that are left out stay unchanged. */
export const ContactChange = z
  .object({
    id: z.string(),
    email: EmailAddress.optional(),
    subscribed: z
      .boolean()
      .optional()
      .describe(
        'Whether marketing email may be sent. `false` opts the contact out, also one that was never subscribed: marketing emails are withheld, and an import does not subscribe it. A change is logged as `contact.subscribed` or `contact.unsubscribed`.',
      ),
    data: CustomData.optional(),
  })
  .meta({ id: 'ContactChange' })
/** Changes to a contact; fields that are left out stay unchanged. */
export type ContactChange = z.output<typeof ContactChange>

/** What contacts can be searched by. */
export const ContactFilter = z.object({
  search: z
    .string()
    .max(254)
    .optional()
    .describe('A part of the address, at most 254 characters, in upper or lower case; `%` and `_` are not wildcards.'),
  subscribed: z.boolean().optional().describe('Only contacts that are, or are not, subscribed.'),
  segmentId: z.string().optional().describe('Only contacts that are members of this segment at the moment.'),
  condition: Condition.optional().describe('Only contacts that match this condition, as segments have it.'),
  createdFrom: z.date().optional().describe('Only contacts that were created at or after this moment.'),
  createdTo: z.date().optional().describe('Only contacts that were created before this moment.'),
})
/** What contacts can be searched by. */
export type ContactFilter = z.output<typeof ContactFilter>

/** What a list of contacts can be ordered by. */
export const ContactSort = z.enum(['createdAt', 'email'])
/** The direction of an order. */
export const SortDirection = z.enum(['asc', 'desc'])
const defaultDirection = 'Default: `desc`, the newest first, by creation; `asc` by address.'

/** The order of a list of contacts. */
export const ContactOrder = z.object({
  by: ContactSort.optional().describe('Default: by creation.'),
  direction: SortDirection.optional().describe(defaultDirection.replaceAll(/`(\w+)`/g, (_, word: string) => word.toUpperCase())),
})
/** The order of a list of contacts. */
export type ContactOrder = z.output<typeof ContactOrder>

/** The query string of the list of contacts: what of ContactFilter and ContactOrder is written in a URL. */
export const ContactSearch = CursorSearch.extend({
  search: ContactFilter.shape.search,
  subscribed: Flag.optional().describe('Only contacts that are, or are not, subscribed.'),
  segmentId: ContactFilter.shape.segmentId,
  sort: ContactSort.default('createdAt').describe('What to order by. A cursor belongs to one order.'),
  dir: SortDirection.optional().describe(defaultDirection),
})
/** The query string of the list of contacts. */
export type ContactSearch = z.output<typeof ContactSearch>

/** A page of contacts. */
export const ContactPage = pageOf(Contact).meta({ id: 'ContactPage' })

/** Addresses to look up. */
export const ContactLookup = z
  .object({
    emails: listOf(z.string(), { min: 1, max: 500 })
      .describe('1 to 500 addresses, in any spelling; what is not an address is not found.')
      .meta({ examples: [['Ada@Example.com', 'bob@example.com']] }),
  })
  .meta({ id: 'ContactLookup' })
/** Addresses to look up. */
export type ContactLookup = z.output<typeof ContactLookup>

/** Which of the addresses have a contact. */
export const ContactsFound = z
  .object({
    found: z.array(z.string()).describe('The addresses that have a contact, as they were sent, each spelling once.'),
    notFound: z.array(z.string()).describe('The others, as they were sent, each spelling once.'),
  })
  .meta({ id: 'ContactsFound' })

/** What made a subscription change. */
export type SubscriptionSource = 'api' | 'send' | 'track' | 'bulk' | 'import' | 'page' | 'one_click' | 'workflow' | 'bounce' | 'complaint'

// A contact may have very many emails and lines.
const long = { expireSeconds: 900, heartbeatSeconds: 30 }

const ContactErasure = z.object({ contactId: z.string(), erasureId: z.string() })
const EraseContactJob = ContactErasure.extend({ projectId: z.string() })
/** Removes the data of a deleted contact: its emails, its log lines and its row. */
export const eraseContactQueue: Queue<z.output<typeof EraseContactJob>> = {
  name: 'contacts-erase',
  shape: EraseContactJob,
  hot: true,
  ...long,
}

const EraseContactsJob = z.object({ projectId: z.string(), contacts: z.array(ContactErasure) })
/** How many contacts one job of a bulk deletion is about. */
export const contactsPerErasure = 200
/** Removes the data of contacts that were deleted together, apart from those that were deleted one by one, which do not wait for them. */
export const eraseContactsQueue: Queue<z.output<typeof EraseContactsJob>> = {
  name: 'contacts-erase-many',
  shape: EraseContactsJob,
  ...long,
}

const DeletedContact = z.object({ projectId: z.string(), contactId: z.string() })
/** A contact that was deleted. */
export type DeletedContact = z.output<typeof DeletedContact>
/** Ends what is under way for a deleted contact: its executions of workflows. */
export const contactDeletedQueue: Queue<DeletedContact> = { name: 'contacts-deleted', shape: DeletedContact, hot: true, ...long }

/** An event of a contact to track. */
export const TrackDraft = z
  .object({
    email: EmailAddress,
    event: TrackedEventName,
    subscribed: z
      .boolean()
      .optional()
      .describe(
        'Whether marketing email may be sent. With a public key it applies to new contacts only. Default: true for a new contact, unchanged for an existing one, which `false` opts out.',
      ),
    data: CustomData.optional(),
  })
  .meta({ id: 'TrackDraft', examples: [{ email: 'ada@example.com', event: 'signed-up', data: { plan: 'pro' } }] })
/** An event of a contact to track. */
export type TrackDraft = z.output<typeof TrackDraft>

/** The contact and the event that was recorded. */
export const TrackResult = z
  .object({ contact: z.string().describe('Id of the contact.'), event: z.string().describe('Id of the event.'), timestamp: Timestamp })
  .meta({ id: 'TrackResult' })
/** The contact and the event that was recorded. */
export type TrackResult = z.output<typeof TrackResult>

/** An event of a contact given by its id, or of no contact, as the dashboard tracks it. */
const NamedEventDraft = z.object({ name: TrackedEventName, contactId: z.string().optional(), data: CustomData.optional() })

/** Either form of POST /events/track. */
export const EventDraft = z.union([TrackDraft, NamedEventDraft]).meta({ id: 'EventDraft' })
/** Either form of POST /events/track. */
export type EventDraft = z.output<typeof EventDraft>

/** The answer to either form: that of /v1/track, or the event. */
export const EventTracked = z.union([z.object({ success: z.literal(true), data: TrackResult }), Event]).meta({ id: 'EventTracked' })
