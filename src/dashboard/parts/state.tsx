import type { ReactNode } from 'react'
import { fieldSentence, type Problem } from '../data/failures.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

/** What went wrong, in the words of the API, with what to do. */
export function ProblemNote({ problem, onRetry }: { problem: Problem; onRetry?: (() => void) | undefined }) {
  // The only one is the message itself.
  const details = problem.fields.length > 1 ? problem.fields : []
  return (
    <div className="note bad" role="alert" tabIndex={-1}>
      <Icon name="alert" />
      <div>
        <p>{problem.message}</p>
        {details.length > 0 && (
          <ul>
            {details.map((one) => (
              <li key={one.field + one.message}>{fieldSentence(one)}</li>
            ))}
          </ul>
        )}
        {problem.suggestion && <p className="muted">{problem.suggestion}</p>}
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </div>
  )
}

/** Something to know, such as that a project is suspended. */
export function Note({ kind = 'info', children }: { kind?: 'info' | 'warn' | 'good'; children: ReactNode }) {
  return (
    <div className={`note ${kind}`}>
      <Icon name={kind === 'good' ? 'check' : 'alert'} />
      <div>{children}</div>
    </div>
  )
}

/** Nothing is there yet: what it would be, and what to do next. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p className="empty-title">{title}</p>
      {children && <div className="muted">{children}</div>}
    </div>
  )
}

/** Room for what is being read: nothing jumps when it arrives. */
export function Loading({ label = 'Loading', rows = 3 }: { label?: string; rows?: number }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <span key={at} />
      ))}
    </div>
  )
}

/** How something is: never by its colour alone. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

/** A state in a word or two. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
