import type { Ctx } from '../context.ts'

/** What a page gets of a request: path parameters, query, form fields and headers (names in lower case). */
export interface PageRequest {
  method: string
  params: Record<string, string>
  query: Record<string, string>
  /** The fields of a form, urlencoded or multipart; empty for other bodies. */
  body: Record<string, string>
  headers: Record<string, string>
}

/** What a page answers. */
export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

/** A page people see in a browser, or mail programs fetch: an adapter without a framework. `path` as in routes. */
export interface Page {
  method: 'GET' | 'HEAD' | 'POST'
  path: string
  /** Served only where the mailbox is on (`config.mailbox`). */
  mailboxOnly?: boolean
  /** Knows who is signed in, may sign in and out, and refuses forms of other sites. */
  forAccounts?: boolean
  handle(ctx: Ctx, request: PageRequest): Promise<PageAnswer>
}

/** Markup that is safe to put into a page as it is. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

type Piece = string | number | Markup | null | undefined | Piece[]

/** A tagged template whose values are escaped, except markup made by it; lists are joined, null and undefined are nothing. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + show(values[at - 1]) + string))
}

function show(piece: Piece): string {
  if (piece === null || piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(show).join('')
  return piece instanceof Markup ? piece.text : escapeHtml(String(piece))
}
