import { useState } from 'react'
import { type Draft, draftOf, patchOf } from '../../../../data/drafts.ts'
import { SelectField } from '../../../../parts/field.tsx'
import { NewField, Value } from '../../../../parts/values.tsx'
import { configOf } from '../../kinds.ts'
import type { ConfigFormProps } from './change.ts'

const actions = [
  { value: 'NONE', label: 'Leave it as it is' },
  { value: 'SUBSCRIBE', label: 'Subscribe the contact' },
  { value: 'UNSUBSCRIBE', label: 'Unsubscribe the contact' },
]

/** What a step changes of the contact: fields of its data, and its subscription. */
export function UpdateFields({ step, onChange }: ConfigFormProps) {
  const { updates, subscriptionAction = 'NONE' } = configOf(step)
  const [state, setState] = useState(() => ({
    drafts: new Map(Object.entries((updates ?? {}) as Record<string, unknown>).map(([key, value]) => [key, draftFor(value)])),
    action: String(subscriptionAction),
  }))
  const change = (part: Partial<typeof state>) => {
    const next = { ...state, ...part }
    setState(next)
    const read = patchOf(next.drafts)
    if ('wrong' in read) return onChange({ wrong: `${read.wrong.field}: ${read.wrong.message}` })
    onChange({
      config: {
        ...(Object.keys(read.patch).length > 0 && { updates: read.patch }),
        ...(next.action !== 'NONE' && { subscriptionAction: next.action }),
      },
    })
  }
  const set = (key: string, draft: Draft | null) => {
    const drafts = new Map(state.drafts)
    if (draft === null) drafts.delete(key)
    else drafts.set(key, draft)
    change({ drafts })
  }
  return (
    <>
      <SelectField
        label="Subscription"
        value={state.action}
        options={actions}
        onChange={(event) => change({ action: event.target.value })}
      />
      <fieldset>
        <legend>Fields to set</legend>
        <p className="hint">An empty text removes the field from the contact.</p>
        {[...state.drafts].map(([key, draft]) => (
          <Value key={key} name={key} value={draft} problem={undefined} onChange={(next) => set(key, next)} />
        ))}
        <NewField taken={[...state.drafts.keys()]} onAdd={(key, kind) => set(key, { kind, text: kind === 'boolean' ? 'true' : '' })} />
      </fieldset>
    </>
  )
}

// A field that is removed is an empty text.
const draftFor = (value: unknown): Draft => (value === null ? { kind: 'text', text: '' } : draftOf(value))
