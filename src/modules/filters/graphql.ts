import { enumOf } from '../../kit/zod-input.ts'
import { ConditionLogic, FilterOperator, FilterUnit } from './shapes.ts'

enumOf('FilterOperator', FilterOperator, 'What a filter does with the value of its field.', {
  equals: 'The value is the given one, or one of those given. A date equals everything on its UTC day.',
  notEquals: 'There is a value, and `EQUALS` does not match. JSON null is a value here.',
  contains: 'The text contains the given text; case-sensitively, except for `email`.',
  notContains: 'There is a value, and it is not a text that contains the given one.',
  greaterThan: 'The number is greater, or the text comes later by code points, as times do that are in UTC, with `Z`.',
  lessThan: 'The number is less, or the text comes earlier.',
  greaterThanOrEqual: 'The number or text is the given one, or greater.',
  lessThanOrEqual: 'The number or text is the given one, or less.',
  exists: 'There is a value other than JSON null; an empty text, 0 and false are values.',
  notExists: 'There is no value, or JSON null.',
  within:
    'The date is at most that long ago, or in the future. In custom data a full ISO 8601 time in UTC, with `Z`: it is compared as text, and a time with an offset is taken for another.',
  olderThan: 'The date is longer ago than that. In custom data a full ISO 8601 time in UTC, with `Z`, as for `WITHIN`.',
  triggered: 'The event has happened to the contact at least once.',
  triggeredWithin: 'The event has happened within that time.',
  triggeredOlderThan: 'The event has happened, the last time longer ago than that.',
  notTriggered: 'The event has never happened.',
  notTriggeredWithin: 'The event has not happened within that time, or never.',
  memberOfSegment: 'The contact is a member of the segment.',
  notMemberOfSegment: 'The contact is not a member of the segment.',
})

enumOf('FilterUnit', FilterUnit, 'The unit of a span of time.', { days: '24 hours.', hours: '60 minutes.', minutes: '60 seconds.' })

enumOf('ConditionLogic', ConditionLogic, 'How the groups of a condition are joined.', {
  AND: 'Every group must match.',
  OR: 'At least one group must match.',
})
