import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import { Text } from '../../kit/shapes.ts'
import { fieldPattern, filterAlternatives } from './operators/published.ts'

/** What a filter does with the value of its field. */
export const FilterOperator = z.enum([
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'exists',
  'notExists',
  'within',
  'olderThan',
  'triggered',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggered',
  'notTriggeredWithin',
  'memberOfSegment',
  'notMemberOfSegment',
])
/** What a filter does with the value of its field. */
export type FilterOperator = z.output<typeof FilterOperator>

/** What an operator needs besides its field: nothing, something to compare with, or a span of time. */
export type Need = 'nothing' | 'value' | 'span'

/** What each operator needs, to which its rules are held, and what it asks: the value of a field, the log, or segments. */
export const operators = {
  equals: { needs: 'value', asks: 'value' },
  notEquals: { needs: 'value', asks: 'value' },
  contains: { needs: 'value', asks: 'value' },
  notContains: { needs: 'value', asks: 'value' },
  greaterThan: { needs: 'value', asks: 'value' },
  lessThan: { needs: 'value', asks: 'value' },
  greaterThanOrEqual: { needs: 'value', asks: 'value' },
  lessThanOrEqual: { needs: 'value', asks: 'value' },
  exists: { needs: 'nothing', asks: 'value' },
  notExists: { needs: 'nothing', asks: 'value' },
  within: { needs: 'span', asks: 'value' },
  olderThan: { needs: 'span', asks: 'value' },
  triggered: { needs: 'nothing', asks: 'history' },
  triggeredWithin: { needs: 'span', asks: 'history' },
  triggeredOlderThan: { needs: 'span', asks: 'history' },
  notTriggered: { needs: 'nothing', asks: 'history' },
  notTriggeredWithin: { needs: 'span', asks: 'history' },
  memberOfSegment: { needs: 'nothing', asks: 'membership' },
  notMemberOfSegment: { needs: 'nothing', asks: 'membership' },
} as const satisfies Record<FilterOperator, { needs: Need; asks: 'value' | 'history' | 'membership' }>

/** Whether an operator asks when an event last happened. `event.<key>` with any other asks the context of an execution. */
export function asksHistory(operator: FilterOperator): boolean {
  return operators[operator].asks === 'history'
}

/** The unit of a span of time. */
export const FilterUnit = z.enum(['days', 'hours', 'minutes'])
/** The unit of a span of time. */
export type FilterUnit = z.output<typeof FilterUnit>

/** How the groups of a condition are joined. */
export const ConditionLogic = z.enum(['AND', 'OR'])

// Strict, as every part of a condition: without one that is misspelt it would mean other contacts, or everybody.
const partsOfBothForms = ['logic', 'groups', 'field', 'operator', 'value', 'unit']
const error: z.core.$ZodErrorMap = ({ code, keys }) =>
  code === 'unrecognized_keys' && keys.every((key) => partsOfBothForms.includes(key))
    ? 'must not be given here: a condition is either `logic` and `groups`, or a single filter'
    : undefined

/** One test of a contact: a field, an operator, and what the operator needs. */
export const FieldFilter = z
  .strictObject(
    {
      field: Text.max(512).meta({
        description:
          '`email`, `subscribed`, `createdAt`, `updatedAt`, `data.<key>` (or a dotted path into nested data; a key that has the dots itself is preferred), `event.<name>`, `email.<activity>` (`sent`, `delivered`, `opened`, `clicked`, `bounced` or `complained`; what machines opened or clicked and bounces that pass do not count), or `segment.<id>`.',
        pattern: fieldPattern,
      }),
      operator: FilterOperator.describe(
        'Which operators a field takes depends on the field. Text is compared case-sensitively, except for `email`; a number never equals its text. `within`, `olderThan`, `greaterThan` and the like compare dates in custom data as text: they need full ISO 8601 times in UTC, with `Z`, such as `2026-01-31T09:30:00Z`.',
      ),
      value: z
        .unknown()
        .optional()
        .describe(
          'What to compare with: text, a number, true or false; `equals` and `notEquals` also take a list, and of `subscribed` true or false alone. With `equals` and `notEquals` a date, and a time in any offset, stands for its whole UTC day. For spans of time their number of units: above 0, and at most 100 years in all.',
        ),
      unit: FilterUnit.optional().describe('The unit of a span of time: of `within`, `olderThan`, and the three operators with a window.'),
    },
    { error },
  )
  .meta({
    id: 'FieldFilter',
    description: 'One test of a contact: a field, an operator, and what the operator needs.',
    examples: [{ field: 'data.plan', operator: 'equals', value: 'pro' }],
    anyOf: filterAlternatives,
  })
/** One test of a contact: a field, an operator, and what the operator needs. */
export type FieldFilter = z.output<typeof FieldFilter>

/** Filters that must all match, with a condition that must match as well. */
export interface FilterGroup {
  filters: FieldFilter[]
  conditions?: Condition | undefined
}

/** Groups joined by AND or OR. */
export interface ConditionTree {
  logic: 'AND' | 'OR'
  groups: FilterGroup[]
}

/** Which contacts are meant: groups of filters, or a single filter. */
export type Condition = ConditionTree | FieldFilter

/** How many filters a condition may have. */
export const maxFilters = 100

/** Filters that must all match, with a condition that must match as well. */
export const FilterGroup = z
  .strictObject({
    filters: listOf(FieldFilter, { max: maxFilters }).describe('Filters that must all match; may be empty when there are `conditions`.'),
    get conditions(): z.ZodOptional<z.ZodType<Condition>> {
      return AnyCondition.optional().describe('A condition that must match as well.')
    },
  })
  .meta({
    id: 'FilterGroup',
    description: 'Filters that must all match, with a condition that must match as well.',
    anyOf: [{ properties: { filters: { minItems: 1 } } }, { required: ['conditions'] }],
    examples: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
  })

const ConditionTree = z
  .strictObject(
    {
      logic: ConditionLogic.describe('How the groups are joined; inside a group everything must match.'),
      groups: listOf(FilterGroup, { min: 1, max: maxFilters }).describe('At least one group of filters.'),
    },
    { error },
  )
  .meta({ id: 'ConditionTree', description: 'Groups of filters joined by AND or OR.' })

/** What a condition is, for the API reference. */
export const conditionText =
  'Which contacts are meant: groups of filters joined by AND or OR, or a single filter. At most 100 filters, 10 levels and 64 KB. A part that is not known is refused: without it other contacts would be meant.'
/** An example of a condition, likewise. */
export const conditionExample: Condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
}

/** A condition whose shape is right; Condition in condition.ts also checks the language. */
export const AnyCondition: z.ZodType<Condition> = z
  .union([ConditionTree, FieldFilter])
  .meta({ id: 'Condition', description: conditionText, examples: [conditionExample] })

/**
 * A condition in an answer. It was checked before it was stored and is not looked through again: the segments of a project together
 * have tens of thousands of filters.
 */
export const StoredCondition = z.custom<Condition>().meta({ sameAs: AnyCondition })

/** What became of one filter of a condition. */
export const FilterOutcome = z.object({
  path: z.string().describe('Where it is in the condition, such as `groups.0.filters.1`; empty for a single filter.'),
  field: z.string(),
  operator: FilterOperator,
  value: z.unknown().describe('What it compares with; null where it compares with nothing.'),
  unit: FilterUnit.nullable().describe('The unit of a span of time; null where there is none.'),
  actual: z
    .unknown()
    .describe(
      'What the contact has: a value, when the event last happened, or whether it is a member; null when there is nothing. A text is cut after 1,000 characters and then ends with `…`; in place of a longer list or object stands `(longer than 1000 characters)`.',
    ),
  matches: z.boolean(),
})
/** What became of one filter of a condition. */
export type FilterOutcome = z.output<typeof FilterOutcome>
