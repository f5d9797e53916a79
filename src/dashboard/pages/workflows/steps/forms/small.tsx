import { useState } from 'react'
import { problemWith } from '../../../../data/failures.ts'
import { CheckField, SelectField, TextField } from '../../../../parts/field.tsx'
import { EventField } from '../../event-field.tsx'
import { configOf } from '../../kinds.ts'
import { allUnits, secondsOf, spanOf, type Unit, units } from '../span.ts'
import type { ConfigFormProps } from './change.ts'

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** How long a delay is. */
export function DelayFields({ step, problem, onChange }: ConfigFormProps) {
  const { amount, unit } = configOf(step)
  const [span, setSpan] = useState({ amount: text(amount), unit: (unit as Unit | undefined) ?? 'DAYS' })
  const change = (next: typeof span) => {
    setSpan(next)
    const { amount: given, unit: chosen } = next
    onChange(given.trim() === '' ? { wrong: 'Say how long.' } : spanChange(given, (number) => ({ amount: number, unit: chosen })))
  }
  return (
    <Span
      label="Waits"
      span={span}
      options={units}
      hint="At most 365 days"
      problem={problemWith(problem, 'config.amount')}
      onChange={change}
    />
  )
}

function spanChange(given: string, config: (number: number) => Record<string, unknown>) {
  const number = Number(given)
  return Number.isFinite(number) && number > 0 ? { config: config(number) } : { wrong: 'The time must be a number above 0.' }
}

interface SpanProps {
  label: string
  span: { amount: string; unit: Unit }
  options: readonly { value: Unit; label: string }[]
  hint?: string
  problem: string | undefined
  onChange(span: { amount: string; unit: Unit }): void
}

function Span({ label, span, options, hint, problem, onChange }: SpanProps) {
  return (
    <div className="span">
      <TextField
        label={label}
        value={span.amount}
        inputMode="decimal"
        autoComplete="off"
        hint={hint}
        problem={problem}
        onChange={(event) => onChange({ ...span, amount: event.target.value })}
      />
      <SelectField
        label="Unit"
        value={span.unit}
        options={options}
        onChange={(event) => onChange({ ...span, unit: event.target.value as Unit })}
      />
    </div>
  )
}

/** What a wait waits for, and how long. */
export function WaitFields({ step, problem, onChange }: ConfigFormProps) {
  const { eventName, timeout } = configOf(step)
  const stored = spanOf(typeof timeout === 'number' ? timeout : 259_200)
  const [state, setState] = useState({
    event: text(eventName),
    isLimited: timeout !== undefined || eventName === undefined,
    span: { amount: text(stored.amount), unit: stored.unit },
  })
  const change = (part: Partial<typeof state>) => {
    const next = { ...state, ...part }
    setState(next)
    const named = next.event.trim() === '' ? {} : { eventName: next.event.trim() }
    if (!next.isLimited) return onChange({ config: named })
    onChange(spanChange(next.span.amount, (amount) => ({ ...named, timeout: secondsOf({ amount, unit: next.span.unit }) })))
  }
  const options = state.span.unit === 'SECONDS' ? allUnits : units
  return (
    <>
      <EventField
        label="Event"
        value={state.event}
        onChange={(event) => change({ event })}
        hint="What happens to the contact, such as purchase"
        problem={problemWith(problem, 'config.eventName')}
      />
      <CheckField
        label="Go on without it after some time"
        checked={state.isLimited}
        hint="Otherwise an execution may wait for ever."
        onChange={(event) => change({ isLimited: event.target.checked })}
      />
      {state.isLimited && (
        <Span
          label="After"
          span={state.span}
          options={options}
          hint="At most 365 days"
          problem={problemWith(problem, 'config.timeout')}
          onChange={(span) => change({ span })}
        />
      )}
    </>
  )
}

/** Why an execution ends. */
export function ExitFields({ step, problem, onChange }: ConfigFormProps) {
  const [reason, setReason] = useState(text(configOf(step).reason))
  const change = (next: string) => {
    setReason(next)
    onChange({ config: next.trim() === '' ? {} : { reason: next.trim() } })
  }
  return (
    <TextField
      label="Reason"
      value={reason}
      maxLength={200}
      autoComplete="off"
      hint="Optional: shown with the executions that end here"
      problem={problemWith(problem, 'config.reason')}
      onChange={(event) => change(event.target.value)}
    />
  )
}
