import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'

interface Described {
  label: string
  /** What to enter, below the field. */
  hint?: ReactNode
  /** Why what was entered was refused. */
  problem?: string | undefined
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

function Field({ label, hint, problem, children }: Described & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': problem ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** A line of text with its label. */
export function TextField({ label, hint, problem, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => <input type="text" {...input} {...wiring} />}
    </Field>
  )
}

/** Several lines of text with their label. */
export function TextAreaField({ label, hint, problem, ...area }: Described & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => <textarea rows={4} {...area} {...wiring} />}
    </Field>
  )
}

type SelectProps = Described & SelectHTMLAttributes<HTMLSelectElement> & { options: readonly { value: string; label: string }[] }

/** One of a few values: the select of the browser, which every phone and screen reader knows. */
export function SelectField({ label, hint, problem, options, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => (
        <select {...select} {...wiring}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A box to tick, with its label beside it. */
export function CheckField({ label, hint, problem, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field check">
      <input type="checkbox" {...input} id={id} aria-describedby={hint || problem ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {(hint || problem) && (
        <p className={problem ? 'field-problem' : 'hint'} id={`${id}-hint`}>
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}
