import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Problem } from '../data/failures.ts'
import { SendingContext, useOnce } from '../data/once.ts'
import { ProblemNote } from './state.tsx'
import { useTyping, useUnsaved } from './unsaved/use-unsaved.ts'

interface Props {
  /** The fields by their names; boxes that are not ticked are missing. A promise ends when all has been done: until then it is not sent again. */
  onSubmit(fields: Record<string, string>): unknown
  /** Whether there are changes that are not saved, where more than its fields says so. */
  isChanged?: boolean
  /** What is typed can be lost: it confirms or signs in, or the page keeps it. */
  isDisposable?: boolean
  problem?: Problem | undefined
  /** The names of the fields that show what is wrong with them; anything else is shown above the form. */
  fields?: readonly string[]
  label?: string
  className?: string
  children: ReactNode
}

/**
 * A form whose fields keep what was typed: whoever closes its dialog or leaves its page is asked first. After a refusal the focus is on
 * the first wrong field, or on what went wrong.
 */
export function Form({ onSubmit, isChanged, isDisposable = false, problem, fields = [], label, className = '', children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const sending = useOnce(onSubmit)
  const typing = useTyping(form, isChanged === undefined && !isDisposable)
  useUnsaved(isChanged === true && !sending.busy)
  const [ended, setEnded] = useState<(isRefused: boolean) => void>()
  // Once what it was refused for is shown.
  useEffect(() => ended?.(form.current?.querySelector('[aria-invalid], [role=alert]') !== null), [ended])
  const elsewhere = problem?.fields.filter(({ field }) => !fields.includes(field.replace(/^input\./, ''))) ?? []
  const isBesideFields = problem !== undefined && problem.fields.length > 0 && elsewhere.length === 0
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid], [role=alert]')?.focus()
  }, [problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form of a dialog is none of the form that has opened it.
    event.stopPropagation()
    if (sending.busy) return
    const entries = [...new FormData(event.currentTarget)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    const end = typing.send()
    await sending.run(Object.fromEntries(entries))
    setEnded(() => end)
  }
  return (
    <form
      ref={form}
      className={`form ${className}`}
      onSubmit={(event) => void submit(event)}
      onFocusCapture={typing.meet}
      onPointerDownCapture={typing.meet}
      onInput={(event) => typing.look(event.target)}
      aria-label={label}
      noValidate
    >
      {problem && !isBesideFields && <ProblemNote problem={problem} />}
      <SendingContext value={sending.busy}>{children}</SendingContext>
    </form>
  )
}
