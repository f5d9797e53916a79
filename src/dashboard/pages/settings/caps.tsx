import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type Problem, problemWith } from '../../data/failures.ts'
import { number } from '../../data/format.ts'
import { type BillingQuery, UpdateBillingLimitsDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'

/** What emails are counted by, in the order of the page. */
export const categories = [
  { name: 'transactional', label: 'Transactional' },
  { name: 'campaigns', label: 'Campaigns' },
  { name: 'workflows', label: 'Workflows' },
  { name: 'inbound', label: 'Received' },
] as const

type Category = (typeof categories)[number]['name']
type Limits = BillingQuery['project']['billingLimits']

const maxCap = 1_000_000_000
const wrong = `This is not a cap: write a whole number from 1 to ${number(maxCap)}, or leave it empty for no cap.`

/** Sets the caps of the project; an empty field means no cap. */
export function Caps({ limits }: { limits: Limits }) {
  const { run, busy, problem, reset } = useAction(UpdateBillingLimitsDocument, 'Project')
  const [mistake, setMistake] = useState<Problem>()
  const shown = mistake ?? problem
  const save = async (fields: Record<string, string>) => {
    const caps = categories.map(({ name }) => ({ name, cap: capOf(fields[name]) }))
    const mistakes = caps.filter(({ cap }) => cap === undefined).map(({ name }) => ({ field: name, message: wrong }))
    reset()
    // A text would be sent as null, which takes the cap away.
    setMistake(mistakes.length > 0 ? { code: 'VALIDATION_ERROR', message: wrong, fields: mistakes } : undefined)
    if (mistakes.length > 0) return
    const input = Object.fromEntries(caps.map(({ name, cap }) => [name, cap ?? null])) as Record<Category, number | null>
    if (await run({ input })) toast('Caps saved', 'They apply at once.')
  }
  return (
    <Section title="Caps per month">
      <p className="muted">Beyond a cap, emails of its category are refused. Leave a field empty for no cap.</p>
      <Form onSubmit={save} problem={shown} fields={categories.map(({ name }) => name)} label="Caps per month" className="limited">
        {categories.map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={limits[name].limit ?? ''}
            problem={problemWith(shown, name)}
          />
        ))}
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </Form>
    </Section>
  )
}

const whole = /^(\d+|\d{1,3}([\s,.'’_]\d{3})+)$/

// Null for no cap, undefined for what is none. Digits may stand in groups, as they are shown.
function capOf(given = ''): number | null | undefined {
  const text = given.trim()
  if (text === '') return null
  const cap = whole.test(text) ? Number(text.replaceAll(/\D/g, '')) : 0
  return cap >= 1 && cap <= maxCap ? cap : undefined
}
