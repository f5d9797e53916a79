/** A node of a document, as TipTap and the API have it. */
export interface DocumentNode {
  type: string
  attrs?: Record<string, unknown>
  content?: DocumentNode[]
  text?: string
}

/** A document as text in which equal documents are equal: keys are in order, and attributes that say nothing are left out. */
export function textOfDocument(document: unknown): string {
  return JSON.stringify(document, (_key, value: unknown) => {
    if (!isObject(value)) return value
    const entries = Object.entries(value).filter(([, inner]) => saysSomething(inner))
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

function saysSomething(value: unknown): boolean {
  return isObject(value) ? Object.values(value).some(saysSomething) : value !== null && value !== undefined
}

const paragraph = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })
const words = (text: string): DocumentNode => ({ type: 'text', text })

/** What a new visual template begins with. */
export const firstDocument: DocumentNode = {
  type: 'doc',
  content: [
    paragraph(words('Hello '), { type: 'variable', attrs: { path: 'name', fallback: 'there' } }, words(',')),
    paragraph(words('Write your email here.')),
  ],
}
