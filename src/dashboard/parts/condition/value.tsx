import { useState } from 'react'
import { useRead } from '../../data/read.ts'
import { type ContactFieldType, FieldValuesDocument, type FilterUnit } from '../../graphql/graphql.ts'
import { Select } from '../select.tsx'
import { SuggestField } from './suggest.tsx'
import type { Rule } from './tree.ts'

interface Props {
  rule: Rule
  onChange(rule: Rule): void
}

const units: readonly { value: FilterUnit; label: string }[] = [
  { value: 'DAYS', label: 'days' },
  { value: 'HOURS', label: 'hours' },
  { value: 'MINUTES', label: 'minutes' },
]

const withValue = (rule: Rule, value: unknown): Rule => {
  const { value: _, ...rest } = rule
  return value === undefined ? rest : { ...rest, value }
}

/** A span of time up to now. */
export function Span({ rule, onChange }: Props) {
  return (
    <>
      <NumberField label="How many" value={rule.value} onChange={(value) => onChange(withValue(rule, value))} />
      <Select label="Unit" value={rule.unit ?? 'DAYS'} options={units} onChange={(unit) => onChange({ ...rule, unit })} />
    </>
  )
}

/** What a rule compares with: by the type of the field, and of what is there already. */
export function Value({ rule, type, onChange }: Props & { type: ContactFieldType | undefined }) {
  const { field, value } = rule
  const change = (next: unknown) => onChange(withValue(rule, next))
  if (Array.isArray(value)) return <List values={value} type={type} onChange={change} />
  if (type === 'BOOLEAN' || field === 'subscribed')
    return (
      <Select
        label="Value"
        value={value === undefined ? '' : String(field === 'subscribed' ? value === true : value)}
        options={[
          ...(value === undefined ? [{ value: '', label: 'Choose' }] : []),
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ]}
        onChange={(next) => change(next === '' ? undefined : next === 'true')}
      />
    )
  if (type === 'NUMBER') return <NumberField label="Value" value={value} onChange={change} />
  if (type === 'DATE' && (value === undefined || /^\d{4}-\d\d-\d\d$/.test(String(value))))
    return (
      <input
        type="date"
        className="input"
        aria-label="Date"
        value={String(value ?? '')}
        onChange={(event) => change(event.target.value || undefined)}
      />
    )
  return <Text field={field} value={value} onChange={change} />
}

function Text({ field, value, onChange }: { field: string; value: unknown; onChange(value: unknown): void }) {
  const isCustom = field.startsWith('data.') && field !== 'data.'
  const [{ data }] = useRead({ query: FieldValuesDocument, variables: { field }, pause: !isCustom })
  const known = data?.contactFieldValues.filter((one): one is string => typeof one === 'string') ?? []
  return (
    <SuggestField
      label="Value"
      value={String(value ?? '')}
      suggestions={known}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

function NumberField({ label, value, onChange }: { label: string; value: unknown; onChange(value: number | undefined): void }) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const isWrong = text.trim() !== '' && !Number.isFinite(Number(text))
  return (
    <input
      type="text"
      inputMode="decimal"
      className="input number"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      value={text}
      autoComplete="off"
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        onChange(next.trim() === '' || !Number.isFinite(Number(next)) ? undefined : Number(next))
      }}
    />
  )
}

// One per line, so that values may have commas. What was stored keeps its type.
function List({ values, type, onChange }: { values: unknown[]; type: ContactFieldType | undefined; onChange(values: unknown[]): void }) {
  const [text, setText] = useState(values.map(String).join('\n'))
  const [stored] = useState(() => new Map(values.map((value) => [String(value), value])))
  const read = (line: string): unknown => stored.get(line) ?? (type === 'NUMBER' && Number.isFinite(Number(line)) ? Number(line) : line)
  return (
    <textarea
      className="input"
      rows={3}
      aria-label="Values, one per line"
      placeholder="One per line"
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const lines = event.target.value.split('\n').filter((line) => line.trim() !== '')
        onChange([...new Set(lines)].map(read))
      }}
    />
  )
}
