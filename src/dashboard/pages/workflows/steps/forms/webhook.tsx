import { useState } from 'react'
import { problemWith } from '../../../../data/failures.ts'
import { SelectField, TextAreaField, TextField } from '../../../../parts/field.tsx'
import { configOf } from '../../kinds.ts'
import type { Change, ConfigFormProps } from './change.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

interface Texts {
  url: string
  method: string
  headers: string
  body: string
}

/** What a step calls, and what it sends there. */
export function WebhookFields({ step, problem, onChange }: ConfigFormProps) {
  const [texts, setTexts] = useState(() => textsOf(configOf(step)))
  const change = (part: Partial<Texts>) => {
    const next = { ...texts, ...part }
    setTexts(next)
    onChange(changeOf(next))
  }
  return (
    <>
      <TextField
        label="URL"
        value={texts.url}
        autoComplete="off"
        inputMode="url"
        hint="May contain Liquid, such as {{ contact.id }}"
        problem={problemWith(problem, 'config.url')}
        onChange={(event) => change({ url: event.target.value })}
      />
      <SelectField label="Method" value={texts.method} options={methods} onChange={(event) => change({ method: event.target.value })} />
      <TextAreaField
        label="Headers"
        value={texts.headers}
        rows={3}
        spellCheck={false}
        hint="One per line, such as Authorization: Bearer …"
        problem={problemWith(problem, 'config.headers')}
        onChange={(event) => change({ headers: event.target.value })}
      />
      <TextAreaField
        label="Body"
        value={texts.body}
        rows={8}
        spellCheck={false}
        className="mono"
        hint="JSON, with Liquid in every text. Empty: the contact, the workflow, the execution and the event are sent."
        problem={problemWith(problem, 'config.body')}
        onChange={(event) => change({ body: event.target.value })}
      />
      <p className="hint">
        Signed with the webhook secret of the project (Standard Webhooks). Network errors, 429 and 5xx are tried again 5 times.
      </p>
    </>
  )
}

function textsOf({ url, method, headers, body }: Record<string, unknown>): Texts {
  const lines = Object.entries((headers ?? {}) as Record<string, string>).map(([name, value]) => `${name}: ${value}`)
  return {
    url: typeof url === 'string' ? url : '',
    method: typeof method === 'string' ? method : 'POST',
    headers: lines.join('\n'),
    body: body === undefined ? '' : JSON.stringify(body, null, 2),
  }
}

function changeOf({ url, method, headers, body }: Texts): Change {
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const bare = lines.find((line) => line.indexOf(':') < 1)
  if (bare !== undefined) return { wrong: `The header “${bare.trim()}” needs a colon between its name and its value.` }
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()])
  const parts = {
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(method !== 'POST' && { method }),
    ...(pairs.length > 0 && { headers: Object.fromEntries(pairs) as Record<string, string> }),
  }
  if (body.trim() === '') return { config: parts }
  try {
    return { config: { ...parts, body: JSON.parse(body) } }
  } catch (error) {
    return { wrong: `The body is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
