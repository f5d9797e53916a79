import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from 'urql'
import { problemWith } from '../../../../data/failures.ts'
import { findTemplates, type Named } from '../../../../data/find.ts'
import { useProject } from '../../../../data/project.tsx'
import { SelectField, TextField } from '../../../../parts/field.tsx'
import { Lookup } from '../../../../parts/lookup.tsx'
import { configOf } from '../../kinds.ts'
import type { ConfigFormProps } from './change.ts'

const recipients = [
  { value: 'CONTACT', label: 'The contact' },
  { value: 'CUSTOM', label: 'Another address' },
]

/** The template that a step sends, and to whom. */
export function EmailFields({ step, problem, onChange }: ConfigFormProps) {
  const { id: project } = useProject()
  const client = useClient()
  const { type = 'CONTACT', customEmail = '' } = (configOf(step).recipient ?? {}) as { type?: string; customEmail?: string }
  const [found, setFound] = useState<Named[]>([])
  const [state, setState] = useState<{ template: Named | null; type: string; customEmail: string }>({
    template: step.template,
    type,
    customEmail,
  })
  const change = (part: Partial<typeof state>) => {
    const next = { ...state, ...part }
    setState(next)
    const to = next.customEmail.trim()
    const recipient = next.type === 'CUSTOM' ? { recipient: { type: 'CUSTOM', ...(to !== '' && { customEmail: to }) } } : {}
    onChange({ config: recipient, templateId: next.template?.id ?? null })
  }
  const find = async (text: string) => {
    const templates = await findTemplates(client, text)
    setFound(templates)
    return templates
  }
  const { template } = state
  return (
    <>
      <div className="field">
        <span className="field-name">Template</span>
        <div className="actions">
          <Lookup
            label="Template"
            chosen={template?.name}
            find={find}
            onChoose={(id) => change({ template: found.find((one) => one.id === id) ?? null })}
          />
          {template && (
            <Link to="/$project/templates/$template" params={{ project, template: template.id }}>
              Open it
            </Link>
          )}
        </div>
      </div>
      <SelectField label="To" value={state.type} options={recipients} onChange={(event) => change({ type: event.target.value })} />
      {state.type === 'CUSTOM' && (
        <TextField
          label="Address"
          type="email"
          value={state.customEmail}
          autoComplete="off"
          hint="It is still an email about the contact: its data is what is printed."
          problem={problemWith(problem, 'config.recipient.customEmail')}
          onChange={(event) => change({ customEmail: event.target.value })}
        />
      )}
    </>
  )
}
