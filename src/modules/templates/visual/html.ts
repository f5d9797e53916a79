import { escapeHtml } from '../../../kit/html/escape.ts'
import { addressTemplate, withoutBraces } from './address.ts'
import type { Align, Block, Inline, Mark, VisualDocument } from './shapes.ts'

/**
 * The HTML of a visual template, with Liquid where it has variables: tables and inline styles, which all mail programs understand. Text
 * is escaped, also for Liquid, so that it is printed as it is.
 */
export function htmlOfDocument({ content }: VisualDocument): string {
  return (
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    `</head>\n<body style="margin:0;padding:0;background-color:#ffffff">\n${table('width="100%"')}<tr><td align="center" style="padding:24px 16px">\n` +
    `${table('width="600"', 'width:100%;max-width:600px')}<tr><td align="left" style="${textStyle}">\n` +
    `${blocksOf(content)}</td></tr></table>\n</td></tr></table>\n</body>\n</html>\n`
  )
}

const fonts = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Helvetica,Arial,sans-serif'
const textStyle = `${fonts};font-size:16px;line-height:24px;color:#1c2330;text-align:left`
const headingStyles = {
  1: 'margin:0 0 16px;font-size:28px;line-height:36px;font-weight:700',
  2: 'margin:8px 0 12px;font-size:22px;line-height:30px;font-weight:700',
  3: 'margin:8px 0 8px;font-size:18px;line-height:26px;font-weight:700',
}
const buttonStyle =
  'display:inline-block;padding:12px 24px;font-size:16px;line-height:24px;font-weight:700;color:#ffffff;background-color:#1d4ed8;border-radius:6px;text-decoration:none'
const linkStyle = 'color:#1d4ed8;text-decoration:underline'
const codeStyle = 'font-family:Menlo,Consolas,monospace;font-size:14px;background-color:#eef1f5;padding:1px 4px;border-radius:3px'

function table(attributes: string, style = ''): string {
  return `<table role="presentation" ${attributes} cellpadding="0" cellspacing="0" border="0"${style && ` style="${style}"`}>`
}

function blocksOf(blocks: readonly Block[]): string {
  return blocks.map((block) => `${blockOf(block)}\n`).join('')
}

function blockOf(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p${placed(block.attrs, 'margin:0 0 16px')}>${linesOf(block.content) || '&nbsp;'}</p>`
    case 'heading':
      return `<h${block.attrs.level}${placed(block.attrs, headingStyles[block.attrs.level])}>${linesOf(block.content)}</h${block.attrs.level}>`
    case 'bulletList':
      return `<ul style="margin:0 0 16px;padding:0 0 0 24px">\n${itemsOf(block.content)}</ul>`
    case 'orderedList':
      return `<ol${startOf(block.attrs?.start)} style="margin:0 0 16px;padding:0 0 0 24px">\n${itemsOf(block.content)}</ol>`
    case 'blockquote':
      return `${table('width="100%"', 'margin:0 0 16px')}<tr><td style="padding:4px 0 0 16px;border-left:4px solid #d4dae3;color:#545d6b">\n${blocksOf(block.content)}</td></tr></table>`
    case 'horizontalRule':
      return '<hr style="border:none;border-top:1px solid #d4dae3;margin:24px 0">'
    case 'image':
      return imageOf(block.attrs)
    case 'button':
      return buttonOf(block.attrs)
  }
}

type AttrsOf<Type extends Block['type']> = Extract<Block, { type: Type; attrs: object }>['attrs']

const alignOf = (attrs: { align?: Align | null | undefined } | undefined) => (attrs?.align === 'left' ? undefined : attrs?.align)

// By attribute and by style, because some programs know one of them only.
function placed(attrs: { align?: Align | null | undefined } | undefined, style: string): string {
  const align = alignOf(attrs)
  return align ? ` align="${align}" style="${style};text-align:${align}"` : ` style="${style}"`
}

// What is a block of its own has no place in its line.
function imageOf(attrs: AttrsOf<'image'>): string {
  const display = alignOf(attrs) ? 'display:inline-block;vertical-align:top' : 'display:block'
  const image = `<img src="${withoutBraces(attrs.src)}" alt="${text(attrs.alt ?? '')}" style="${display};max-width:100%;height:auto;border:0">`
  return `<p${placed(attrs, 'margin:0 0 16px')}>${image}</p>`
}

// A table that is aligned itself would have the text beside it.
function buttonOf(attrs: AttrsOf<'button'>): string {
  const cell = `<tr><td bgcolor="#1d4ed8" style="border-radius:6px"><a href="${addressTemplate(attrs.href)}" style="${buttonStyle}">${text(attrs.label)}</a></td></tr></table>`
  const align = alignOf(attrs)
  if (!align) return `${table('', 'margin:0 0 16px')}${cell}`
  const margin = align === 'center' ? '0 auto' : '0 0 0 auto'
  return `${table('width="100%"', 'margin:0 0 16px')}<tr><td align="${align}">${table('', `margin:${margin}`)}${cell}</td></tr></table>`
}

function itemsOf(items: readonly { content: Block[] }[]): string {
  return items.map(({ content }) => `<li style="margin:0 0 8px${alignOfItem(content)}">${itemOf(content)}</li>\n`).join('')
}

function alignOfItem([first]: readonly Block[]): string {
  const align = first?.type === 'paragraph' && alignOf(first.attrs)
  return align ? `;text-align:${align}` : ''
}

// The space below a paragraph would make a list of lines too wide.
function itemOf([first, ...rest]: readonly Block[]): string {
  if (first?.type !== 'paragraph') return blocksOf(first ? [first, ...rest] : rest)
  return `${linesOf(first.content)}${rest.length > 0 ? `\n${blocksOf(rest)}` : ''}`
}

const startOf = (start: number | null | undefined): string => (start == null || start === 1 ? '' : ` start="${start}"`)

// Neighbours with the same link are one link.
function linesOf(inlines: readonly Inline[] = []): string {
  const html: string[] = []
  let open: string | undefined
  for (const inline of inlines) {
    const href = hrefOf(inline.marks)
    if (href !== open) {
      if (open !== undefined) html.push('</a>')
      if (href !== undefined) html.push(`<a href="${addressTemplate(href)}" style="${linkStyle}">`)
      open = href
    }
    html.push(markedOf(inline))
  }
  if (open !== undefined) html.push('</a>')
  return html.join('')
}

function hrefOf(marks: readonly Mark[] = []): string | undefined {
  for (const mark of marks) if (mark.type === 'link') return mark.attrs.href
  return undefined
}

const wraps = [
  ['bold', '<strong>', '</strong>'],
  ['italic', '<em>', '</em>'],
  ['underline', '<u>', '</u>'],
  ['strike', '<s>', '</s>'],
  ['code', `<code style="${codeStyle}">`, '</code>'],
] as const

function markedOf(inline: Inline): string {
  let [before, after] = ['', '']
  for (const [kind, start, end] of inline.marks?.length ? wraps : []) {
    if (!inline.marks?.some(({ type }) => type === kind)) continue
    before += start
    after = end + after
  }
  return before + inlineOf(inline) + after
}

function inlineOf(inline: Inline): string {
  if (inline.type === 'hardBreak') return '<br>'
  return inline.type === 'text' ? text(inline.text) : variable(inline.attrs)
}

function variable({ path, fallback }: { path: string; fallback?: string | null | undefined }): string {
  return fallback ? `{{ ${path} ?? "${quoted(fallback)}" }}` : `{{ ${path} }}`
}

// What could end the string, the output or a tag of HTML is written as the escape that Liquid knows.
function quoted(value: string): string {
  return value.replace(/["'\\{}%<>&\p{Cc}]/gu, (character) => escapes[character.charCodeAt(0)] ?? '')
}

// All of them are among the first 256 characters.
const escapes = Array.from({ length: 256 }, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`)

// `{{` and `{%` begin Liquid: a brace that could be the first of them, also with what follows the text, is printed by Liquid itself.
function text(value: string): string {
  return escapeHtml(value).replace(/\{(?=[{%]|$)/g, "{{ '{' }}")
}
