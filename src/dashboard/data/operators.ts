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

const [text, number, date, boolean] = ['STRING', 'NUMBER', 'DATE', 'BOOLEAN'] as const satisfies ContactFieldType[]
const everyType: readonly ContactFieldType[] = [text, number, date, boolean]
const ordered: readonly ContactFieldType[] = [text, number, date]

/** What an operator compares with: nothing, a span of time, or a value. */
type Need = 'nothing' | 'span' | 'value'

/** What is known of an operator. */
interface Known {
  /** What people call it, and of dates where that is another word. */
  label: string
  dateLabel?: string
  need: Need
  /** Whether it also takes a list of values. */
  list?: true
  /** What takes it: custom fields and those that every contact has, events, or segments. */
  of: 'fields' | 'events' | 'segments'
  /** The types of fields for which it makes sense: it is not offered for others, and a rule that has it keeps it. */
  types: readonly ContactFieldType[]
}

const ofEvent = (label: string, need: Need): Known => ({ label, need, of: 'events', types: [] })
const ofSegment = (label: string): Known => ({ label, need: 'nothing', of: 'segments', types: [] })
const ofField = (label: string, types: Known['types'], more: Partial<Known> = {}): Known => ({
  ...{ label, types, need: 'value', of: 'fields' },
  ...more,
})

// In the order in which they are offered.
const known: Record<FilterOperator, Known> = {
  EQUALS: ofField('is', everyType, { list: true }),
  NOT_EQUALS: ofField('is not', everyType, { list: true }),
  CONTAINS: ofField('contains', [text]),
  NOT_CONTAINS: ofField('does not contain', [text]),
  GREATER_THAN: ofField('is greater than', ordered, { dateLabel: 'is after' }),
  LESS_THAN: ofField('is less than', ordered, { dateLabel: 'is before' }),
  GREATER_THAN_OR_EQUAL: ofField('is at least', ordered, { dateLabel: 'is on or after' }),
  LESS_THAN_OR_EQUAL: ofField('is at most', ordered, { dateLabel: 'is on or before' }),
  EXISTS: ofField('is set', everyType, { need: 'nothing' }),
  NOT_EXISTS: ofField('is not set', everyType, { need: 'nothing' }),
  WITHIN: ofField('is within the last', [date], { need: 'span' }),
  OLDER_THAN: ofField('is longer ago than', [date], { need: 'span' }),
  TRIGGERED: ofEvent('at least once', 'nothing'),
  TRIGGERED_WITHIN: ofEvent('within the last', 'span'),
  TRIGGERED_OLDER_THAN: ofEvent('the last time longer ago than', 'span'),
  NOT_TRIGGERED: ofEvent('never', 'nothing'),
  NOT_TRIGGERED_WITHIN: ofEvent('not within the last', 'span'),
  MEMBER_OF_SEGMENT: ofSegment('are in'),
  NOT_MEMBER_OF_SEGMENT: ofSegment('are not in'),
}

// A Record has no other keys than these.
const operatorsFor = (of: Known['of']): FilterOperator[] => (Object.keys(known) as FilterOperator[]).filter((one) => known[one].of === of)

/** What a rule asks about: the same name is that of an event, or of data of the event that started an execution. */
export function familyOf(field: string, operator?: FilterOperator): Family {
  const family = families.find(({ value }) => value !== 'contact' && field.startsWith(`${value}.`))
  if (family?.value === 'event' && operator !== undefined && known[operator].of !== 'events') return 'context'
  return family?.value ?? 'contact'
}

/** A field, as far as comparing with it goes. */
export type Comparable = Pick<ContactField, 'field' | 'type' | 'operators'>

/** The operators that a field takes. A custom field that no contact has yet takes those of all custom fields. */
export function operatorsOf(field: string, fields: readonly Comparable[], family = familyOf(field)): FilterOperator[] {
  if (family === 'event' || family === 'email') return operatorsFor('events')
  if (family === 'segment') return operatorsFor('segments')
  const found = fields.find((one) => one.field === field)
  const all = operatorsFor('fields')
  return found ? all.filter((one) => found.operators.includes(one) && known[one].types.includes(found.type)) : all
}

/** What people call an operator. */
export function operatorLabel(operator: FilterOperator, type?: ContactFieldType): string {
  const { label, dateLabel = label } = known[operator]
  return type === 'DATE' ? dateLabel : label
}

/** What an operator compares with: nothing, a span of time, or a value. */
export function needOf(operator: FilterOperator): Need {
  return known[operator].need
}

/** Whether an operator also takes a list of values. */
export function takesList(operator: FilterOperator): boolean {
  return known[operator].list ?? false
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
