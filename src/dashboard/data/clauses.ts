import type { FilterOperator, FilterUnit } from '../graphql/graphql.ts'
import { fieldLabel, valueText } from './fields.ts'
import { moment } from './format.ts'
import { emailFields, familyOf, needOf, operatorLabel } from './operators.ts'

/** The name of a segment by its id. */
export type NameOf = (id: string) => string | undefined

interface Test {
  field: string
  operator: FilterOperator
  value?: unknown
  unit?: FilterUnit | null | undefined
}

/** What a rule means, as a clause. */
export function ruleText(test: Test, nameOf: NameOf): string {
  const { field, operator } = test
  const family = familyOf(field, operator)
  if (family === 'segment') {
    const id = field.slice('segment.'.length)
    return `they ${operatorLabel(operator)} ${id === '' ? '…' : `“${nameOf(id) ?? 'a segment that does not exist'}”`}`
  }
  if (family === 'email' || family === 'event') return happened(test)
  if (field === 'subscribed') return subscription(test)
  const what =
    family === 'contact' ? { email: 'the address', createdAt: 'their creation', updatedAt: 'their last change' }[field] : undefined
  const name = family === 'context' ? `${field.slice('event.'.length) || '…'} of the event` : (what ?? (fieldLabel(field) || '…'))
  return [name, labelOf(test), comparedWith(test)].filter(Boolean).join(' ')
}

function labelOf({ operator, field, value }: Test): string {
  if (Array.isArray(value) && value.length > 1) return operator === 'EQUALS' ? 'is one of' : 'is none of'
  const isDate = field === 'createdAt' || field === 'updatedAt' || (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
  return operatorLabel(operator, isDate ? 'DATE' : undefined)
}

function comparedWith({ operator, value, unit }: Test): string {
  const need = needOf(operator)
  if (need === 'nothing') return ''
  if (need === 'span') return spanText(value, unit)
  if (value === undefined || value === null || value === '') return '…'
  return (Array.isArray(value) ? value : [value]).map(quoted).join(', ')
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : valueText(value).toLowerCase())

function spanText(value: unknown, unit: FilterUnit | null | undefined): string {
  if (typeof value !== 'number' || !unit) return '…'
  const name = unit.toLowerCase()
  return `${value} ${value === 1 ? name.slice(0, -1) : name}`
}

function subscription({ operator, value }: Test): string {
  if (value === undefined) return 'they are …'
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => one === true)
  if (new Set(wanted).size > 1) return operator === 'EQUALS' ? 'they are subscribed or not' : 'nobody is meant'
  return (wanted[0] === true) === (operator === 'EQUALS') ? 'they are subscribed' : 'they are not subscribed'
}

function happened({ field, operator, value, unit }: Test): string {
  const name = field.slice(field.indexOf('.') + 1)
  const known = emailFields.find((one) => one.value === field)
  const did = known?.label ?? (name === '' ? 'did …' : `did “${name}”`)
  if (operator === 'TRIGGERED') return `they ${did}`
  if (operator === 'NOT_TRIGGERED') return `it never happened that they ${did}`
  const span = spanText(value, unit)
  if (operator === 'TRIGGERED_WITHIN') return `they ${did} within the last ${span}`
  if (operator === 'NOT_TRIGGERED_WITHIN') return `it did not happen within the last ${span} that they ${did}`
  return `they last ${did} more than ${span} ago`
}

/** What a contact has of a rule. */
export function actualText({ field, actual }: { field: string; actual: unknown }): string {
  const family = familyOf(field)
  if (family === 'segment') return actual === true ? 'They are in it.' : 'They are not in it.'
  const isMoment = family === 'event' || family === 'email' || field === 'createdAt' || field === 'updatedAt'
  if (actual === null || actual === undefined)
    return family === 'event' || family === 'email' ? 'It has never happened.' : 'There is no value.'
  if (isMoment && typeof actual === 'string') return `${family === 'contact' ? 'It is' : 'It last happened'} ${moment(actual)}.`
  return `The contact has ${quoted(actual)}.`
}
