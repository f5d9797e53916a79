import type { ContentMode, EmailType } from '../../graphql/graphql.ts'
import { textOfDocument } from '../visual/document.ts'

/** What an email says and who it is from: of a template, or of a campaign. What may be empty is '' here and null in the API. */
export interface Content {
  subject: string
  previewText: string
  body: string
  /** The document of a visual one, as textOfDocument writes it; '' for HTML. */
  document: string
  from: string
  fromName: string
  replyTo: string
  type: EmailType
}

interface StoredContent {
  subject: string
  previewText: string | null
  mode: ContentMode
  body: string | null
  document: unknown
  from: string
  fromName: string | null
  replyTo: string | null
  type: EmailType
}

/** The content of a template or campaign as the editor has it. */
export function contentOf({ subject, from, type, ...stored }: StoredContent): Content {
  const { previewText, body, fromName, replyTo } = stored
  const document = stored.mode === 'VISUAL' && stored.document ? textOfDocument(stored.document) : ''
  return {
    ...{ subject, from, type, document },
    ...{ previewText: previewText ?? '', body: body ?? '', fromName: fromName ?? '', replyTo: replyTo ?? '' },
  }
}

/** Of some changes what the API takes: a document as JSON, whose HTML is made by the server. */
export function writtenInput<T extends { body?: string | null; document?: string | null }>({ body, document, ...rest }: T) {
  if (document) return { ...rest, document: JSON.parse(document) as unknown }
  return body == null ? rest : { ...rest, body }
}

const emptiable = ['previewText', 'fromName', 'replyTo', 'description']

/** What has changed, as the API takes it: of the fields that may be empty, null for those that are. */
export function changesOf<T extends object>(before: T, after: T): Partial<{ [K in keyof T]: T[K] | null }> {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof T])
  // The names are those of T, since `after` has them.
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' && emptiable.includes(name) ? null : value])) as Partial<T>
}

/** The kinds of emails, with what makes them different. */
export const emailTypes: { value: EmailType; label: string; hint: string }[] = [
  { value: 'MARKETING', label: 'Marketing', hint: 'Has a footer to unsubscribe by, and is not sent to those who have.' },
  { value: 'TRANSACTIONAL', label: 'Transactional', hint: 'Has no footer, and is sent to everybody, also those who have unsubscribed.' },
  { value: 'HEADLESS', label: 'Headless', hint: 'Has no footer, and is not sent to those who have unsubscribed.' },
]

/** What a new email begins with. */
export const firstBody = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <style>
      body { margin: 0; padding: 24px; font: 16px/1.5 Arial, sans-serif; color: #1c2330; background: #ffffff; }
      .content { max-width: 560px; margin: 0 auto; }
      @media (prefers-color-scheme: dark) {
        body { color: #e8ebf0; background: #14181f; }
      }
    </style>
  </head>
  <body>
    <div class="content">
      <p>Hello {{ name ?? "there" }},</p>
      <p>Write your email here.</p>
    </div>
  </body>
</html>
`
