import { useState } from 'react'
import { useAction } from '../../data/action.ts'
import { type Draft, draftOf, patchOf } from '../../data/drafts.ts'
import { problemWith } from '../../data/failures.ts'
import { UpdatePersonDocument } from '../../graphql/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toast.tsx'
import { NewField, Value } from '../../parts/values.tsx'
import type { PersonFacts } from './facts.ts'

const maxShown = 500

/** The address and the custom data of a contact, each field by itself; only what was changed is sent. */
export function Data({ person, onChange }: { person: PersonFacts; onChange(): void }) {
  const data = (person.data ?? {}) as Record<string, unknown>
  const [email, setEmail] = useState<string>()
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft | null>>(new Map())
  const [wrong, setWrong] = useState<{ field: string; message: string }>()
  const { run, busy, problem } = useAction(UpdatePersonDocument)
  const keys = [...new Set([...Object.keys(data), ...drafts.keys()])].sort().slice(0, maxShown)
  const isChanged = drafts.size > 0 || (email !== undefined && email.trim() !== person.email)
  const draft = (key: string, next: Draft | null) => {
    const after = new Map(drafts).set(key, next)
    if (isStored(data[key], next)) after.delete(key)
    setDrafts(after)
  }
  const discard = () => {
    setDrafts(new Map())
    setEmail(undefined)
    setWrong(undefined)
  }
  const save = async () => {
    const read = patchOf(drafts)
    if ('wrong' in read) return setWrong(read.wrong)
    const { patch } = read
    const input = { id: person.id, ...(Object.keys(patch).length > 0 && { data: patch }), ...(email !== undefined && { email }) }
    if (!(await run({ input }))) return
    discard()
    toast('Saved')
    onChange()
  }
  return (
    <Section title="Data">
      <Form onSubmit={save} isChanged={isChanged} problem={problem} fields={['email']} label="Data of the contact">
        <TextField
          label="Email address"
          type="email"
          value={email ?? person.email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="off"
          problem={problemWith(problem, 'email')}
        />
        {keys.map((key) => (
          <Value
            key={key}
            name={key}
            value={drafts.has(key) ? drafts.get(key) : draftOf(data[key])}
            problem={wrong?.field === key ? wrong.message : undefined}
            onChange={(next) => draft(key, next)}
          />
        ))}
        {keys.length === 0 && <p className="muted">No custom data yet.</p>}
        {isChanged && (
          <div className="actions end">
            <Button onClick={discard}>Discard</Button>
            <Button kind="primary" type="submit" busy={busy}>
              Save
            </Button>
          </div>
        )}
      </Form>
      <NewField taken={keys} onAdd={(key, kind) => draft(key, { kind, text: kind === 'boolean' ? 'true' : '' })} />
    </Section>
  )
}

// Typed as it is stored.
function isStored(value: unknown, next: Draft | null): boolean {
  if (value === undefined || next === null) return false
  const { kind, text } = draftOf(value)
  return next.kind === kind && next.text === text
}
