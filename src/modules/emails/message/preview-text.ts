import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { escapeHtml } from '../../../kit/html/escape.ts'

/** Maximum number of characters of a preview text, as it is stored and as it is sent. */
export const maxPreviewLength = 200

// Programs show about so many characters; without enough of them they go on with the beginning of the body.
const shownLength = 150
const hidden =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent;mso-hide:all'
// What is neither seen nor left out: a joiner, a character without width, and a space.
const padding = '&#847;&zwnj;&nbsp;'

/** The markup that programs show beside the subject and nobody sees in the body; '' for an empty text. */
export function previewMarkup(text: string): string {
  if (text === '') return ''
  return `<div style="${hidden}">${escapeHtml(text)}${padding.repeat(Math.max(0, shownLength - text.length))}</div>`
}

/**
 * Where the body of an HTML document begins: behind `<body>`, or where that is missing behind the head, `<html>` or the doctype,
 * otherwise at the beginning. Only what comes before the body is read.
 */
export function bodyStart(html: string): number {
  tokenizer.reset()
  finder.html = html
  finder.at = 0
  finder.inHead = false
  tokenizer.write(html)
  tokenizer.end()
  return finder.at
}

const beforeBody = new Set(['html', 'head', 'body', 'title', 'meta', 'link', 'style', 'script', 'base', 'noscript', 'template'])

class BodyFinder implements TokenizerCallbacks {
  html = ''
  at = 0
  inHead = false
  private tag = ''

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase()
    if (!this.inHead && !beforeBody.has(this.tag)) tokenizer.pause()
  }

  onopentagend(end: number): void {
    if (this.tag === 'head') this.inHead = true
    if (this.tag === 'html' || this.tag === 'body') this.at = end + 1
    if (this.tag === 'body') tokenizer.pause()
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end)
  }

  onclosetag(start: number, end: number): void {
    if (!this.inHead || this.html.slice(start, end).toLowerCase() !== 'head') return
    this.inHead = false
    this.at = this.html.indexOf('>', end) + 1 || this.at
  }

  ondeclaration(_start: number, end: number): void {
    if (!this.inHead) this.at = end + 1
  }

  onattribdata(): void {}
  onattribend(): void {}
  onattribentity(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}
}

// One for all emails, as for links.
const finder = new BodyFinder()
const tokenizer: Tokenizer = new Tokenizer({ decodeEntities: false }, finder)
