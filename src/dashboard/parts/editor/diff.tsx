import { useMemo } from 'react'
import '../../styles/versions.css'
import { number } from '../../data/format.ts'
import { Note } from '../state.tsx'
import { diffOf, type Hunk } from './line-diff.ts'

const signs = { same: ' ', added: '+', removed: '−' } as const
const meanings = { same: '', added: 'Added: ', removed: 'Removed: ' } as const

interface Props {
  label: string
  before: string
  after: string
}

/** What differs between two texts, line by line. */
export function Diff({ label, before, after }: Props) {
  const hunks = useMemo(() => diffOf(before, after), [before, after])
  if (!hunks) return <Note>The two have too little in common to compare them line by line.</Note>
  if (before === after) return <p className="muted">No difference.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must be reached by keyboard to be read
    <section className="diff" aria-label={label} tabIndex={0}>
      {hunks.map((hunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a difference never move
        <Lines key={at} hunk={hunk} />
      ))}
    </section>
  )
}

function Lines({ hunk: { kind, lines } }: { hunk: Hunk }) {
  if (kind === 'skipped') return <p className="diff-skipped">{number(lines.length)} lines are the same</p>
  const text = lines.map((line) => `${signs[kind]} ${line}`).join('\n')
  return (
    <pre className={`diff-lines ${kind}`}>
      {kind !== 'same' && <span className="sr-only">{meanings[kind]}</span>}
      {text}
    </pre>
  )
}
