import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { Problem } from '../data/failures.ts'
import { ProblemNote } from './state.tsx'

interface Props {
  /** The fields by their names; boxes that are not ticked are missing. */
  onSubmit(fields: Record<string, string>): void
  problem?: Problem | undefined
  /** The names of the fields that show what is wrong with them; anything else is shown above the form. */
  fields?: readonly string[]
  label?: string
  className?: string
  children: ReactNode
}

/** A form whose fields keep what was typed. After a refusal the focus is on the first wrong field, or on what went wrong. */
export function Form({ onSubmit, problem, fields = [], label, className = '', children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const elsewhere = problem?.fields.filter(({ field }) => !fields.includes(field.replace(/^input\./, ''))) ?? []
  const isBesideFields = problem !== undefined && problem.fields.length > 0 && elsewhere.length === 0
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid], [role=alert]')?.focus()
  }, [problem])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form of a dialog is none of the form that has opened it.
    event.stopPropagation()
    const entries = [...new FormData(event.currentTarget)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    onSubmit(Object.fromEntries(entries))
  }
  return (
    <form ref={form} className={`form ${className}`} onSubmit={submit} aria-label={label} noValidate>
      {problem && !isBesideFields && <ProblemNote problem={problem} />}
      {children}
    </form>
  )
}
