import { z } from 'zod'
import { readDocument } from './read.ts'

/** A part of the text of a visual template that looks otherwise, or leads somewhere. */
export type Mark = { type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' } | { type: 'link'; attrs: { href: string } }

/** What stands in a line. */
export type Inline =
  | { type: 'text'; text: string; marks?: Mark[] | undefined }
  | { type: 'hardBreak'; marks?: Mark[] | undefined }
  | { type: 'variable'; attrs: { path: string; fallback?: string | null | undefined }; marks?: Mark[] | undefined }

interface Item {
  type: 'listItem'
  content: Block[]
}

/** Where something stands in its line; left when nothing is said. */
export type Align = 'left' | 'center' | 'right'

interface Aligned {
  align?: Align | null | undefined
}

/** What stands on lines of its own. */
export type Block =
  | { type: 'paragraph'; attrs?: Aligned | undefined; content?: Inline[] | undefined }
  | { type: 'heading'; attrs: Aligned & { level: 1 | 2 | 3 }; content?: Inline[] | undefined }
  | { type: 'bulletList'; content: Item[] }
  | { type: 'orderedList'; attrs?: { start?: number | null | undefined } | undefined; content: Item[] }
  | { type: 'blockquote'; content: Block[] }
  | { type: 'horizontalRule' }
  | { type: 'image'; attrs: Aligned & { src: string; alt?: string | null | undefined } }
  | { type: 'button'; attrs: Aligned & { href: string; label: string } }

/** What a visual template says, as TipTap has it. */
export interface VisualDocument {
  type: 'doc'
  content: Block[]
}

/** The document of a visual template, of allowed nodes only: attributes that are not known are dropped. At most 20 problems are reported. */
export const VisualDocumentInput = z.unknown().transform((value, ctx): VisualDocument => {
  const read = readDocument(value)
  // What was read has the nodes of these types only.
  if ('document' in read) return read.document as VisualDocument
  for (const { path, message, code } of read.problems) ctx.addIssue({ code: 'custom', path, message, params: { code } })
  return z.NEVER
})

/** What the API says of the document of a visual template or campaign. */
export function documentText(what: 'template' | 'campaign'): string {
  return `The document of a visual ${what}, as TipTap has it, which its HTML is made of: at most 5,000 nodes and marks, 100,000 characters and 20 levels. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback). Paragraphs, headings, images and buttons may have an align: left, center or right. In an href, {{ path }} prints a variable as a whole segment of the path or value of the query; {{ unsubscribeUrl }}, {{ subscribeUrl }} and {{ manageUrl }} are whole addresses.`
}

/** What a change may say about what something is written in. */
interface Written {
  body?: string | undefined
  document?: VisualDocument | undefined
  mode?: 'HTML' | 'VISUAL' | undefined
}

/** Whether a change says in one way only what is written: a document stands alone. */
export function isWrittenOnce({ body, document, mode }: Written): boolean {
  return document === undefined || (body === undefined && mode !== 'HTML')
}

/** What is said of a change that says it twice. */
export const writtenTwice = {
  path: ['document'],
  error: 'cannot be given together with `body` or the mode HTML',
  params: { code: 'not_allowed' },
}
