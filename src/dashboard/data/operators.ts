import type { ContactFieldType, FilterOperator } from '../graphql/graphql.ts'
import type { ContactField } from './fields.ts'

/** What a rule asks about a contact. */
export const families = [
  { value: 'contact', label: 'Contact' },
  { value: 'data', label: 'Custom field' },
  { value: 'email', label: 'Emails' },
  { value: 'event', label: 'Event' },
  { value: 'context', label: 'Data of the event' },
  { value: 'segment', label: 'Segment' },
] as const

/** What a rule asks about a contact. */
export type Family = (typeof families)[number]['value']

/** What may have become of an email to a contact. */
export const emailFields = [
  { value: 'email.sent', label: 'were sent an email' },
  { value: 'email.delivered', label: 'had an email delivered' },
  { value: 'email.opened', label: 'opened an email' },
  { value: 'email.clicked', label: 'clicked a link in an email' },
  { value: 'email.bounced', label: 'bounced' },
  { value: 'email.complained', label: 'reported an email as spam' },
]

/** The fields that every contact has. */
export const contactFields = [
  { value: 'email', label: 'Address' },
  { value: 'subscribed', label: 'Subscribed' },
  { value: 'createdAt', label: 'Created' },
  { value: 'updatedAt', label: 'Changed' },
]

const ofEvents: FilterOperator[] = ['TRIGGERED', 'TRIGGERED_WITHIN', 'TRIGGERED_OLDER_THAN', 'NOT_TRIGGERED', 'NOT_TRIGGERED_WITHIN']
/** What a rule asks about: the same name is that of an event, or of data of the event that started an execution. */
export function familyOf(field: string, operator?: FilterOperator): Family {
  const family = families.find(({ value }) => value !== 'contact' && field.startsWith(`${value}.`))
  if (family?.value === 'event' && operator !== undefined && !ofEvents.includes(operator)) return 'context'
  return family?.value ?? 'contact'
}

const ofSegments: FilterOperator[] = ['MEMBER_OF_SEGMENT', 'NOT_MEMBER_OF_SEGMENT']
const ofData: FilterOperator[] = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN_OR_EQUAL',
  'EXISTS',
  'NOT_EXISTS',
  'WITHIN',
  'OLDER_THAN',
]

// What makes no sense for a type is not offered; a rule that has it keeps it.
const pointless: Record<ContactFieldType, FilterOperator[]> = {
  STRING: ['WITHIN', 'OLDER_THAN'],
  NUMBER: ['CONTAINS', 'NOT_CONTAINS', 'WITHIN', 'OLDER_THAN'],
  DATE: ['CONTAINS', 'NOT_CONTAINS'],
  BOOLEAN: ofData.filter((one) => !['EQUALS', 'NOT_EQUALS', 'EXISTS', 'NOT_EXISTS'].includes(one)),
}

/** A field, as far as comparing with it goes. */
export type Comparable = Pick<ContactField, 'field' | 'type' | 'operators'>

/** The operators that a field takes. A custom field that no contact has yet takes those of all custom fields. */
export function operatorsOf(field: string, fields: readonly Comparable[], family = familyOf(field)): FilterOperator[] {
  if (family === 'event' || family === 'email') return ofEvents
  if (family === 'segment') return ofSegments
  const known = fields.find((one) => one.field === field)
  if (!known) return ofData
  const sensible = known.operators.filter((one) => !pointless[known.type].includes(one))
  return ofData.filter((one) => sensible.includes(one))
}

const dates: Partial<Record<FilterOperator, string>> = {
  GREATER_THAN: 'is after',
  LESS_THAN: 'is before',
  GREATER_THAN_OR_EQUAL: 'is on or after',
  LESS_THAN_OR_EQUAL: 'is on or before',
}

const labels: Record<FilterOperator, string> = {
  EQUALS: 'is',
  NOT_EQUALS: 'is not',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  GREATER_THAN: 'is greater than',
  LESS_THAN: 'is less than',
  GREATER_THAN_OR_EQUAL: 'is at least',
  LESS_THAN_OR_EQUAL: 'is at most',
  EXISTS: 'is set',
  NOT_EXISTS: 'is not set',
  WITHIN: 'is within the last',
  OLDER_THAN: 'is longer ago than',
  TRIGGERED: 'at least once',
  TRIGGERED_WITHIN: 'within the last',
  TRIGGERED_OLDER_THAN: 'the last time longer ago than',
  NOT_TRIGGERED: 'never',
  NOT_TRIGGERED_WITHIN: 'not within the last',
  MEMBER_OF_SEGMENT: 'are in',
  NOT_MEMBER_OF_SEGMENT: 'are not in',
}

/** What people call an operator. */
export function operatorLabel(operator: FilterOperator, type?: ContactFieldType): string {
  return (type === 'DATE' && dates[operator]) || labels[operator]
}

const spans: FilterOperator[] = ['WITHIN', 'OLDER_THAN', 'TRIGGERED_WITHIN', 'TRIGGERED_OLDER_THAN', 'NOT_TRIGGERED_WITHIN']
const bare: FilterOperator[] = ['EXISTS', 'NOT_EXISTS', 'TRIGGERED', 'NOT_TRIGGERED', ...ofSegments]

/** What an operator compares with: nothing, a span of time, or a value. */
export function needOf(operator: FilterOperator): 'nothing' | 'span' | 'value' {
  if (bare.includes(operator)) return 'nothing'
  return spans.includes(operator) ? 'span' : 'value'
}

/** Whether an operator also takes a list of values. */
export function takesList(operator: FilterOperator): boolean {
  return operator === 'EQUALS' || operator === 'NOT_EQUALS'
}

/** Whether a rule says all that it must. */
export function isFilled({
  field,
  operator,
  value,
  unit,
}: {
  field: string
  operator: FilterOperator
  value?: unknown
  unit?: unknown
}): boolean {
  if (field.endsWith('.') || field === '') return false
  const need = needOf(operator)
  if (need === 'nothing') return true
  if (need === 'span') return typeof value === 'number' && value > 0 && unit !== undefined
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}
