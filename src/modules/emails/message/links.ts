import type { World } from '../../../kit/world.ts'
import { emailToken, linkToken } from '../tracking/tokens.ts'
import type { Content, Recipient } from './content.ts'
import { beforeBodyEnd, type RenderedContent } from './render.ts'

/** Adds the open pixel and leads links through us, where project and mail want it (decisions.md 7). */
export function trackContent(world: World, recipient: Recipient, content: Content, message: RenderedContent): RenderedContent {
  if (!isTracked(recipient, content)) return message
  const { publicUrl } = world
  const own = [message.links.unsubscribeUrl, message.links.subscribeUrl, message.links.manageUrl]
  const token = emailToken(world, recipient)
  const linked = rewriteLinks(message.html, (url) =>
    own.some((page) => url.startsWith(page)) ? null : `${publicUrl}/t/c/${token}~${linkToken(world, recipient.projectId, url)}`,
  )
  const pixel = `<img src="${publicUrl}/t/o/${token}" width="1" height="1" alt="" style="display:none">`
  return { ...message, html: beforeBodyEnd(linked, pixel) }
}

/** Whether opens and clicks of a mail are recorded: the mail's own wish, then the project's setting. */
export function isTracked({ tracking }: Pick<Recipient, 'tracking'>, content: Pick<Content, 'tracking' | 'type'>): boolean {
  if (content.tracking !== null) return content.tracking
  if (tracking === 'MARKETING_ONLY') return content.type !== 'TRANSACTIONAL'
  return tracking === 'ENABLED'
}

/**
 * Replaces the targets of http(s) links of `<a>` and `<area>` by what `replace` answers (null leaves one as it is). Links
 * marked `data-no-track` stay. One pass over the text, linear in its length.
 */
export function rewriteLinks(html: string, replace: (url: string) => string | null): string {
  let out = ''
  let done = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    const start = tagName(html, at)
    if (start === -1) continue
    const tag = readTag(html, start)
    if (!tag) break
    at = tag.end - 1
    if (!tag.href || tag.untracked) continue
    const url = decodeEntities(html.slice(tag.href.from, tag.href.to)).trim()
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) continue
    const instead = replace(url)
    if (instead === null) continue
    out += html.slice(done, tag.href.from) + instead
    done = tag.href.to
  }
  return out + html.slice(done)
}

// Where the attributes of an <a …> or <area …> begin, or -1.
function tagName(html: string, at: number): number {
  const first = html.charCodeAt(at + 1) | 32
  if (first !== 97) return -1
  const length = isBlank(html.charCodeAt(at + 2))
    ? 2
    : html.slice(at + 1, at + 5).toLowerCase() === 'area' && isBlank(html.charCodeAt(at + 5))
      ? 5
      : -1
  return length === -1 ? -1 : at + length
}

interface Tag {
  end: number
  href?: { from: number; to: number }
  untracked: boolean
}

// Reads attributes up to the closing bracket; null when the text ends before it.
function readTag(html: string, start: number): Tag | null {
  const tag: Tag = { end: -1, untracked: false }
  let at = start
  while (at < html.length) {
    while (isBlank(html.charCodeAt(at)) || html[at] === '/') at++
    if (html[at] === '>') return { ...tag, end: at + 1 }
    const from = at
    while (at < html.length && !endsName(html.charCodeAt(at))) at++
    const name = html.slice(from, at).toLowerCase()
    if (at === from) at++
    while (isBlank(html.charCodeAt(at))) at++
    if (name === 'data-no-track') tag.untracked = true
    if (html[at] !== '=') continue
    const value = readValue(html, at + 1)
    if (!value) return null
    if (name === 'href' && !tag.href) tag.href = { from: value.from, to: value.to }
    at = value.next
  }
  return null
}

function readValue(html: string, start: number): { from: number; to: number; next: number } | null {
  let at = start
  while (isBlank(html.charCodeAt(at))) at++
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const to = html.indexOf(quote, at + 1)
    return to === -1 ? null : { from: at + 1, to, next: to + 1 }
  }
  const from = at
  while (at < html.length && !isBlank(html.charCodeAt(at)) && html[at] !== '>') at++
  // The token that replaces it has no character that would need quotes.
  return { from, to: at, next: at }
}

// A blank, =, > or /.
function endsName(code: number): boolean {
  return code === 61 || code === 62 || code === 47 || isBlank(code)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  '#38': '&',
  '#x26': '&',
  '#34': '"',
}

function decodeEntities(text: string): string {
  return text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|#39|#x27|#38|#x26|#34);/gi, (whole, name: string) => named[name.toLowerCase()] ?? whole)
    : text
}
