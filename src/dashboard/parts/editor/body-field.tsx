import { type Problem, problemWith } from '../../data/failures.ts'
import { VisualField } from '../visual/visual-field.tsx'
import { CodeField } from './code-field.tsx'
import type { Content } from './content.ts'
import type { Preview } from './preview.tsx'

interface Props {
  content: Pick<Content, 'body' | 'document'>
  onChange(part: Partial<Content>): void
  /** What the preview says about the HTML is about what is written now, also before it is saved. */
  preview: Preview
  problem: Problem | undefined
}

/** What an email says, in what it is written in: HTML, or a document. */
export function BodyField({ content: { body, document }, onChange, preview, problem }: Props) {
  if (document !== '')
    return (
      <VisualField
        label="What it says"
        value={document}
        onChange={(text) => onChange({ document: text })}
        problem={problemWith(problem, 'document')}
      />
    )
  return (
    <CodeField
      label="HTML"
      value={body}
      onChange={(text) => onChange({ body: text })}
      problem={problemWith(preview.problem, 'body') ?? problemWith(problem, 'body')}
    />
  )
}
