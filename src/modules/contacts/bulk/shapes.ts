import { z } from 'zod'
import { listOf } from '../../../kit/bounded.ts'
import { Condition } from '../../filters/condition.ts'
import { AnyCondition } from '../../filters/shapes.ts'
import { jobOf } from '../../jobs/shapes.ts'
import type { Audience } from '../audience/audience.ts'
import { ContactFilter } from '../shapes.ts'

/** What is done with many contacts. */
export const BulkOperation = z.enum(['subscribe', 'unsubscribe', 'delete'])
/** What is done with many contacts. */
export type BulkOperation = z.output<typeof BulkOperation>

const maxIds = 1_000
const maxExcluded = 10_000

const contactIds = listOf(z.string().min(1), { min: 1, max: maxIds }).optional().describe(`Ids of the contacts, at most ${maxIds}.`)

// Strict: a condition that is not known here must not be ignored, or the call would change more contacts than it names.
const filter = z
  .strictObject({
    search: ContactFilter.shape.search,
    subscribed: ContactFilter.shape.subscribed,
    segmentId: z.string().optional().describe('Only contacts that are members of this segment.'),
    condition: Condition.optional().describe('Only contacts that match this condition, as segments have it.'),
  })
  .meta({
    id: 'BulkContactFilter',
    description:
      'All contacts that match when they are reached, of those that exist now, by the conditions that segments have now: instead of ids. `{}` matches every contact.',
  })
  .optional()

const excludeIds = listOf(z.string().min(1), { max: maxExcluded })
  .optional()
  .describe(`Contacts to leave out of those that match, at most ${maxExcluded}.`)

interface Selection {
  mode?: 'ids' | 'query' | undefined
  contactIds?: string[] | undefined
  ids?: string[] | undefined
  filter?: Audience | undefined
  excludeIds?: string[] | undefined
}

// Exactly one of the two ways to name contacts.
function requireOneWay({ mode, contactIds, ids, filter: matching }: Selection, ctx: z.core.$RefinementCtx<unknown>): void {
  const refuse = (field: string, message: string): void =>
    ctx.addIssue({ code: 'custom', path: [field], message, params: { code: 'required' } })
  const named = contactIds ?? ids
  if (mode === 'query' && !matching) refuse('filter', 'is required with the mode "query"')
  else if (mode === 'ids' && !named) refuse('contactIds', 'is required with the mode "ids"')
  else if (!named && !matching) refuse('contactIds', 'is required, or "filter" instead of it')
  else if (named && matching) refuse('filter', 'must not be given together with ids')
  else if (contactIds && ids) refuse('ids', 'must not be given together with "contactIds", which is the same')
}

const Body = z
  .object({
    mode: z.enum(['ids', 'query']).optional().describe('`query` with `filter`; otherwise `ids`, the default.'),
    contactIds,
    ids: contactIds.describe('The same as `contactIds`; only one of the two.'),
    filter,
    excludeIds,
  })
  .superRefine(requireOneWay)

// Elsewhere what is not known is ignored; here a misspelt `excludeIds` would delete the contacts that it names.
function refuseUnknown(body: unknown, ctx: z.RefinementCtx): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'filter')) return body
  const known = Object.keys(Body.shape)
  for (const key of Object.keys(body).filter((one) => !known.includes(one)))
    ctx.addIssue({
      code: 'custom',
      path: [key],
      message: `is not known beside "filter": use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
      params: { code: 'unrecognized_keys' },
    })
  return body
}

// The same for the API reference, as JSON Schema: what may not be given beside others is described in a form that viewers can draw.
const absent = { not: {} }
const byIds = { mode: { const: 'ids' }, filter: absent }
const published = [
  { properties: { ...byIds, ids: absent }, required: ['contactIds'] },
  { properties: { ...byIds, contactIds: absent }, required: ['ids'] },
  {
    properties: { mode: { const: 'query' }, contactIds: absent, ids: absent, filter: {}, excludeIds: {} },
    required: ['filter'],
    additionalProperties: false,
  },
]

/** The contacts that a bulk operation is about, as a REST body. */
export const BulkBody = z
  .preprocess(refuseUnknown, Body)
  .meta({ id: 'BulkBody', examples: [{ contactIds: ['cnt_01m7y3mwcpfqhrhzca2e1aqg79'] }], anyOf: published })

/** The same as a GraphQL input. */
export const BulkSelection = z
  .object({
    contactIds,
    filter: ContactFilter.optional().describe(
      'All contacts that match when they are reached, of those that exist now, by the conditions that segments have now: instead of `contactIds`. `{}` means every contact.',
    ),
    excludeIds,
  })
  .superRefine(requireOneWay)
/** The contacts that a bulk operation is about. */
export type BulkSelection = z.output<typeof BulkBody> | z.output<typeof BulkSelection>

const ContactError = z.object({
  contactId: z.string(),
  email: z.string().nullable().describe('The address of the contact, if there is one.'),
  error: z.string().describe('Why nothing was done, in a sentence.'),
})

/** What a bulk operation has done. */
export const BulkResult = z
  .object({
    operation: BulkOperation,
    totalRequested: z.number().int().describe('Contacts that were named, or that matched.'),
    successCount: z.number().int().describe('Contacts that were changed or deleted.'),
    unchangedCount: z.number().int().describe('Contacts that were so already.'),
    failureCount: z.number().int().describe('Ids without a contact.'),
    errors: z.array(ContactError).describe('The first 100 ids without a contact.'),
    errorsOmitted: z.number().int().describe('How many more ids had an error.'),
  })
  .meta({ id: 'BulkResult' })
/** What a bulk operation has done. */
export type BulkResult = z.output<typeof BulkResult>

/** A bulk operation as a job. */
export const BulkJob = jobOf(BulkResult).meta({ id: 'BulkJob' })

/** What the job of a bulk operation does; `upTo` is the newest contact when it was accepted, and `segments` the conditions of segments then. */
export const BulkInput = z.object({
  operation: BulkOperation,
  select: z.discriminatedUnion('by', [
    z.object({ by: z.literal('ids'), ids: z.array(z.string()) }),
    z.object({
      by: z.literal('filter'),
      // Every part of a filter, with dates as JSON has them; strict, because without a part the job would be about other contacts.
      filter: z.strictObject({
        ...ContactFilter.shape,
        condition: AnyCondition.optional(),
        createdFrom: z.coerce.date().optional(),
        createdTo: z.coerce.date().optional(),
      }),
      // None in those of a version before.
      segments: z.record(z.string(), AnyCondition).default({}),
      since: z.coerce.date().optional(),
      excludeIds: z.array(z.string()),
      upTo: z.string(),
    }),
  ]),
})
/** What the job of a bulk operation does. */
export type BulkInput = z.output<typeof BulkInput>

/** Where a bulk operation continues: after how many ids, or after which id; `total` is about how many there are. */
export const BulkPlace = z.object({ done: z.number().int(), after: z.string(), total: z.number().int() })
/** Where a bulk operation continues. */
export type BulkPlace = z.output<typeof BulkPlace>
