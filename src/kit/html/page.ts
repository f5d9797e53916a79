import type { Readable } from 'node:stream'
import type { Ctx } from '../context.ts'
import { escapeHtml } from './escape.ts'

/** The parts of a request that a page receives: path parameters, query, form fields and headers (names in lower case). */
export interface PageRequest {
  method: string
  params: Record<string, string>
  query: Record<string, string>
  /** The fields of a form, urlencoded or multipart; empty for other bodies. */
  body: Record<string, string>
  headers: Record<string, string>
}

/** The answer of a page. A body that is streamed is destroyed when its reader has left. */
export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | Readable
  /** The same octets are the body of all such answers. */
  isShared?: true
}

/** An answer that leads the browser to another address; it is never cached. */
export function redirectTo(status: 302 | 303, address: string): PageAnswer {
  return { status, headers: { Location: address, 'Cache-Control': 'no-store' }, body: '' }
}

/** A page for browsers or mail programs: an adapter around an operation, without a framework. `path` as in routes. */
export interface HostedPage {
  method: 'GET' | 'HEAD' | 'POST'
  path: string
  /** Served only where the mailbox is enabled (`config.mailbox`). */
  mailboxOnly?: boolean
  /** For recipients of emails: also served on the link hosts of sender domains, where nothing else is. */
  forRecipients?: boolean
  /** Its context has the signed-in person; it may sign people in and out, and forms of other sites are refused. */
  forAccounts?: boolean
  handle(ctx: Ctx, request: PageRequest): Promise<PageAnswer>
}

/** Markup that is inserted into a page without escaping. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Piece = string | number | Markup | null | undefined | Piece[]

/** A tagged template whose values are escaped, except Markup; lists are joined, null and undefined are left out. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + show(values[at - 1]) + string))
}

function show(piece: Piece): string {
  if (piece === null || piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(show).join('')
  return piece instanceof Markup ? piece.text : escapeHtml(String(piece))
}
