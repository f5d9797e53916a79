import { type ContactField, fieldLabel, type SegmentName } from '../../data/fields.ts'
import {
  type Comparable,
  contactFields,
  emailFields,
  type Family,
  families,
  familyOf,
  needOf,
  operatorLabel,
  operatorsOf,
  takesList,
} from '../../data/operators.ts'
import type { ContactFieldType, FilterOperator } from '../../graphql/graphql.ts'
import { IconButton } from '../button.tsx'
import { Select } from '../select.tsx'
import { SuggestField } from './suggest.tsx'
import { asking, bare, type Rule } from './tree.ts'
import { Span, Value } from './value.tsx'

/** What rules can ask about. */
export interface Vocabulary {
  fields: readonly ContactField[]
  segments: readonly SegmentName[]
  events: readonly string[]
  /** The data of the event that started an execution, where there is one. */
  context?: readonly Comparable[] | undefined
}

interface Props {
  rule: Rule
  vocabulary: Vocabulary
  onChange(rule: Rule): void
  onRemove: (() => void) | undefined
}

/** One rule: what it asks, how it compares, and what with. */
export function RuleRow({ rule, vocabulary, onChange, onRemove }: Props) {
  return (
    <div className="rule">
      <Asked
        rule={rule}
        vocabulary={vocabulary}
        onChange={(field, family) => onChange(asking(rule, { field, family, fields: comparables(vocabulary) }))}
      />
      <Compared rule={rule} vocabulary={vocabulary} onChange={onChange} />
      {onRemove && <IconButton icon="trash" label="Remove the rule" onClick={onRemove} />}
    </div>
  )
}

interface AskedProps {
  rule: Pick<Rule, 'field' | 'operator'>
  vocabulary: Vocabulary
  onChange(field: string, family: Family): void
}

/** What a rule asks. */
export function Asked({ rule: { field, operator }, vocabulary, onChange }: AskedProps) {
  const family = familyOf(field, operator)
  const offered = families.filter(({ value }) => value !== 'context' || value === family || vocabulary.context !== undefined)
  return (
    <>
      <Select label="What the rule asks" value={family} options={offered} onChange={(next) => onChange(firstOf(next, vocabulary), next)} />
      <FieldChoice field={field} family={family} vocabulary={vocabulary} onChange={(next) => onChange(next, family)} />
    </>
  )
}

/** How a rule compares, and what with. */
export function Compared({ rule, vocabulary, onChange }: Omit<Props, 'onRemove'>) {
  const { field, operator } = rule
  const type = typeOf(rule, vocabulary)
  return (
    <>
      <OperatorChoice rule={rule} type={type} vocabulary={vocabulary} onChange={onChange} />
      {needOf(operator) === 'span' && <Span rule={rule} onChange={onChange} />}
      {needOf(operator) === 'value' && <Value key={`${field} ${Array.isArray(rule.value)}`} rule={rule} type={type} onChange={onChange} />}
    </>
  )
}

/** The fields that values can be compared with. */
export const comparables = ({ fields, context = [] }: Vocabulary): Comparable[] => [...fields, ...context]

// The type of the value that is there comes first, so that nothing stored is read as something else.
function typeOf({ field, value }: Rule, vocabulary: Vocabulary): ContactFieldType | undefined {
  const [one] = Array.isArray(value) ? value : [value]
  if (typeof one === 'number') return 'NUMBER'
  if (typeof one === 'boolean') return 'BOOLEAN'
  return comparables(vocabulary).find((known) => known.field === field)?.type
}

function firstOf(family: Family, { fields, segments, events, context = [] }: Vocabulary): string {
  if (family === 'contact') return 'email'
  if (family === 'email') return 'email.opened'
  if (family === 'data') return fields.find(({ isCustom }) => isCustom)?.field ?? 'data.'
  if (family === 'context') return context[0]?.field ?? 'event.'
  return family === 'event' ? `event.${events[0] ?? ''}` : `segment.${segments[0]?.id ?? ''}`
}

interface FieldProps {
  field: string
  family: Family
  vocabulary: Vocabulary
  onChange(field: string): void
}

function FieldChoice({ field, family, vocabulary: { fields, segments, events, context = [] }, onChange }: FieldProps) {
  if (family === 'contact') return <Select label="Field" value={field} options={contactFields} onChange={onChange} />
  if (family === 'email') return <Select label="What they did" value={field} options={emailFields} onChange={onChange} />
  if (family === 'segment') {
    const options = segments.map(({ id, name }) => ({ value: `segment.${id}`, label: name }))
    const isMissing = !options.some(({ value }) => value === field)
    const missing = { value: field, label: field === 'segment.' ? 'No segment' : 'A segment that does not exist' }
    return <Select label="Segment" value={field} options={isMissing ? [missing, ...options] : options} onChange={onChange} />
  }
  const names = {
    event: () => events,
    context: () => context.map((one) => one.field.slice('event.'.length)),
    data: () => fields.filter(({ isCustom }) => isCustom).map((one) => fieldLabel(one.field)),
  }[family]()
  const prefix = family === 'data' ? 'data' : 'event'
  return (
    <SuggestField
      label={family === 'event' ? 'Name of the event' : 'Name of the field'}
      value={field.slice(prefix.length + 1)}
      suggestions={names}
      onChange={(name) => onChange(`${prefix}.${name}`)}
    />
  )
}

function OperatorChoice({
  rule,
  type,
  vocabulary,
  onChange,
}: { rule: Rule; type: ContactFieldType | undefined } & Pick<Props, 'vocabulary' | 'onChange'>) {
  const { field, operator, value } = rule
  const offered = operatorsOf(field, comparables(vocabulary), familyOf(field, operator))
  const operators = offered.includes(operator) ? offered : [operator, ...offered]
  const canList = type !== 'BOOLEAN' && field !== 'subscribed'
  const options = operators.flatMap((one) => [
    { value: one as string, label: operatorLabel(one, type) },
    ...(takesList(one) && canList ? [{ value: `${one} list`, label: one === 'EQUALS' ? 'is one of' : 'is none of' }] : []),
  ])
  const choose = (chosen: string) => {
    const [name, list] = chosen.split(' ')
    const next = name as FilterOperator
    if (needOf(next) === 'nothing') return onChange({ ...bare(rule), operator: next })
    if (needOf(next) === 'span')
      return onChange({ ...bare(rule), operator: next, value: needOf(operator) === 'span' ? value : 7, unit: rule.unit ?? 'DAYS' })
    const one = Array.isArray(value) ? value[0] : needOf(operator) === 'value' ? value : undefined
    const kept = list ? (Array.isArray(value) ? value : one === undefined ? [] : [one]) : one
    onChange({ ...bare(rule), operator: next, ...(kept !== undefined && { value: kept }) })
  }
  return <Select label="Operator" value={Array.isArray(value) ? `${operator} list` : operator} options={options} onChange={choose} />
}
