import { z } from 'zod'
import { emailAddress } from '../../kit/address.ts'
import { listOf } from '../../kit/bounded.ts'
import type { Queue } from '../../kit/jobs.ts'
import { NumberedSearch, numberedPageOf } from '../../kit/paging.ts'
import { invisible, Text, Timestamp, visible } from '../../kit/shapes.ts'
import { Contact } from '../contacts/shapes.ts'
import { Condition } from '../filters/condition.ts'
import { FilterOutcome, StoredCondition } from '../filters/shapes.ts'

/** How a segment gets its members. */
export const SegmentType = z.enum(['DYNAMIC', 'STATIC']).meta({
  description: 'DYNAMIC has the contacts that match its condition, STATIC those that were added to it.',
  examples: ['DYNAMIC'],
})
/** How a segment gets its members. */
export type SegmentType = z.output<typeof SegmentType>

const fields = {
  name: Text.max(100)
    .trim()
    .min(1)
    .refine(...visible)
    .meta({
      description: 'What people call it, 1 to 100 characters; its events are named after it.',
      pattern: `[^${invisible}]`,
      examples: ['VIP Customers'],
    }),
  description: Text.max(500)
    .nullable()
    .meta({ description: 'What it is for, for people; at most 500 characters.', examples: ['Ordered three times or more'] }),
  trackMembership: z
    .boolean()
    .describe(
      'Whether the members of a dynamic segment are computed every 5 minutes, and who enters and leaves is logged. The first computation logs the entry of all members. Of a static segment who is added and removed is always logged.',
    ),
}

/** A named group of contacts. */
export const Segment = z
  .object({
    id: z.string().meta({ examples: ['seg_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    name: z.string(),
    description: z.string().nullable(),
    type: SegmentType,
    condition: StoredCondition.nullable().describe('Which contacts are members, as it was sent; null in a static segment.'),
    trackMembership: z.boolean(),
    memberCount: z.number().int().describe('How many members it had when they were last counted; of a static segment how many it has.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Segment', description: 'A named group of contacts: those that match a condition, or those that were added.' })
/** A named group of contacts. */
export type Segment = z.output<typeof Segment>

/** The segments of a project, newest first. */
export const Segments = z.array(Segment).meta({ id: 'Segments' })

/** Which segments a list holds. */
export const SegmentFilter = z.object({
  search: Text.max(200)
    .optional()
    .describe('Part of the name or description, at most 200 characters, ignoring case; `%` and `_` are not wildcards.'),
  types: listOf(SegmentType, { min: 1, max: 10 }).optional().describe('Only segments of these types.'),
  trackMembership: z.boolean().optional().describe('Only segments whose members are, or are not, tracked.'),
})
/** Which segments a list holds. */
export type SegmentFilter = z.output<typeof SegmentFilter>

/** A segment to create. */
export const SegmentDraft = z
  .object({
    name: fields.name,
    description: fields.description.optional(),
    type: SegmentType.optional().describe('Default: DYNAMIC.'),
    condition: Condition.optional().describe('Which contacts are members; required for a dynamic segment, refused for a static one.'),
    trackMembership: fields.trackMembership.optional(),
  })
  .meta({
    id: 'SegmentDraft',
    examples: [{ name: 'Customers', condition: { field: 'data.plan', operator: 'equals', value: 'pro' }, trackMembership: true }],
    anyOf: [
      { properties: { type: { const: 'DYNAMIC' } }, required: ['condition'] },
      { properties: { type: { const: 'STATIC' }, condition: { not: {} } }, required: ['type'] },
    ],
  })
/** A segment to create. */
export type SegmentDraft = z.output<typeof SegmentDraft>

/** Changes to a segment; fields that are left out stay, and the type cannot change. */
export const SegmentChange = z
  .object({
    id: z.string(),
    name: fields.name.optional(),
    description: fields.description.optional(),
    condition: Condition.optional().describe('Which contacts are members; refused for a static segment.'),
    trackMembership: fields.trackMembership.optional(),
  })
  .meta({ id: 'SegmentChange' })
/** Changes to a segment. */
export type SegmentChange = z.output<typeof SegmentChange>

const notAnAddress = { error: 'must be an email address such as ada@example.com' }

// The spelling of the caller is kept, because those that are not found are answered in it.
const SpelledAddress = Text.refine((text) => emailAddress(text) !== null, notAnAddress).meta({ format: 'idn-email' })

const id = z.string().describe('Id of the segment.')
const emails = listOf(SpelledAddress, { min: 1, max: 1_000 }).meta({
  description: 'Addresses of contacts, 1 to 1,000.',
  examples: [['ada@example.com']],
})

/** Contacts to add to a static segment. */
export const MembersDraft = z
  .object({
    id,
    emails,
    createMissing: z.boolean().optional().describe('Whether a contact is created for an address that has none. Default: false.'),
    subscribed: z
      .boolean()
      .optional()
      .describe('Whether marketing email may be sent to the contacts that are created. Default: true. Existing ones stay as they are.'),
  })
  .meta({ id: 'MembersDraft' })
/** Contacts to add to a static segment. */
export type MembersDraft = z.output<typeof MembersDraft>

/** What became of the addresses that were to be added. */
export const MembersAdded = z
  .object({
    added: z.number().int().describe('How many contacts became members, with those that were created.'),
    created: z.number().int().describe('How many of those that became members were created by this call.'),
    alreadyMembers: z.number().int().describe('How many were members before, or were added by another call meanwhile.'),
    notFound: z.array(z.string()).describe('The addresses that have no contact, as they were spelled.'),
  })
  .meta({ id: 'MembersAdded' })
/** What became of the addresses that were to be added. */
export type MembersAdded = z.output<typeof MembersAdded>

/** Contacts to remove from a static segment. */
export const MembersRemoval = z.object({ id, emails }).meta({ id: 'MembersRemoval' })
/** Contacts to remove from a static segment. */
export type MembersRemoval = z.output<typeof MembersRemoval>

/** How many members were removed. */
export const MembersRemoved = z
  .object({ removed: z.number().int().describe('How many contacts were members.') })
  .meta({ id: 'MembersRemoved' })
/** How many members were removed. */
export type MembersRemoved = z.output<typeof MembersRemoved>

/** The query of the contacts of a segment. */
export const MembersSearch = NumberedSearch.extend({ id: z.string() })
/** The query of the contacts of a segment. */
export type MembersSearch = z.output<typeof MembersSearch>

/** A page of the contacts of a segment. */
export const MembersPage = numberedPageOf(Contact).meta({ id: 'MembersPage' })

/** What a computation of the members changed. */
export const Computed = z
  .object({
    added: z.number().int().describe('How many contacts entered.'),
    removed: z.number().int().describe('How many contacts left.'),
    total: z.number().int().describe('How many members it has now.'),
  })
  .meta({ id: 'SegmentComputed' })
/** What a computation of the members changed. */
export type Computed = z.output<typeof Computed>

/** The refreshed count of a segment. */
export const Refreshed = z.object({ memberCount: z.number().int() }).meta({ id: 'SegmentRefreshed' })
/** The refreshed count of a segment. */
export type Refreshed = z.output<typeof Refreshed>

/** A segment and a contact, in a path. */
export const ByContact = z.object({ id: z.string(), contactId: z.string() })

/** A condition and a contact. */
export const ConditionOfContact = z.object({
  condition: Condition,
  contactId: z.string().describe('Id of the contact.'),
})

/** Why a contact is a member of a segment or not. */
export const Explanation = z
  .object({
    matches: z.boolean().describe('Whether the contact is a member at the moment.'),
    leaves: z.array(FilterOutcome).describe('Each filter of the condition, in order.'),
  })
  .meta({ id: 'SegmentExplanation' })
/** Why a contact is a member of a segment or not. */
export type Explanation = z.output<typeof Explanation>

const EraseJob = z.object({ projectId: z.string(), segmentId: z.string() })
/** Removes the members of a deleted segment; what a killed worker had begun goes on soon. */
export const eraseMembersQueue: Queue<z.output<typeof EraseJob>> = { name: 'segments-erase', shape: EraseJob, heartbeatSeconds: 30 }
