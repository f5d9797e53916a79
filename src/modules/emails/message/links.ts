import { decodeHTMLAttribute } from 'entities/decode'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { World } from '../../../kit/world.ts'
import { trackingLinks } from '../tracking/links.ts'
import type { Content, Recipient } from './content.ts'
import { beforeBodyEnd, type RenderedContent } from './render.ts'

/** Adds the open pixel and replaces links by tracked links, if the email is tracked; links of the contact's own pages stay. */
export function trackContent(
  world: Pick<World, 'vault' | 'publicUrl'>,
  recipient: Recipient,
  content: Content,
  rendered: RenderedContent,
): RenderedContent {
  if (!isTracked(recipient, content)) return rendered
  const { unsubscribeUrl, subscribeUrl, manageUrl } = rendered.links
  const untracked = [unsubscribeUrl, subscribeUrl, manageUrl]
  const { pixelUrl, clickUrl } = trackingLinks(world, recipient)
  const linked = rewriteLinks(rendered.html, (url) => (untracked.some((page) => url.startsWith(page)) ? null : clickUrl(url)))
  const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="" style="display:none">`
  return { ...rendered, html: beforeBodyEnd(linked, pixel) }
}

/** Whether opens and clicks of an email are tracked: by the setting of the call, otherwise by that of the project. */
export function isTracked({ tracking }: Pick<Recipient, 'tracking'>, content: Pick<Content, 'tracking' | 'type'>): boolean {
  if (content.tracking !== null) return content.tracking
  if (tracking === 'MARKETING_ONLY') return content.type !== 'TRANSACTIONAL'
  return tracking === 'ENABLED'
}

/**
 * Replaces the http(s) targets of `<a>` and `<area>` by the result of `replace`, which must not need quotes or escaping;
 * null keeps a target. Every other byte stays the same. Links marked `data-no-track` are kept, and so is everything that a
 * browser does not show as a link: comments, scripts, styles, titles, a tag that never ends.
 */
export function rewriteLinks(html: string, replace: (url: string) => string | null): string {
  let out = ''
  let done = 0
  for (const { from, to } of linksIn(html)) {
    const url = decodeHTMLAttribute(html.slice(from, to)).trim()
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) continue
    const replacement = replace(url)
    if (replacement === null) continue
    out += html.slice(done, from) + replacement
    done = to
  }
  return out + html.slice(done)
}

/** Where the value of an attribute is in the text. */
interface Range {
  from: number
  to: number
}

// Collects the first href of each <a> and <area>, as HTML defines it, once the tag has ended.
class LinkCollector implements TokenizerCallbacks {
  html = ''
  links: Range[] = []
  private inLink = false
  private untracked = false
  private attribute = ''
  private value: Range | undefined
  private href: Range | undefined

  onopentagname(start: number, end: number): void {
    const name = end - start === 1 || end - start === 4 ? this.html.slice(start, end).toLowerCase() : ''
    this.inLink = name === 'a' || name === 'area'
    this.untracked = false
    this.href = undefined
  }

  onattribname(start: number, end: number): void {
    if (!this.inLink) return
    this.attribute = this.html.slice(start, end).toLowerCase()
    this.value = undefined
    if (this.attribute === 'data-no-track') this.untracked = true
  }

  onattribdata(from: number, to: number): void {
    if (this.inLink) this.value = { from, to }
  }

  onattribend(): void {
    if (this.inLink && this.attribute === 'href') this.href ??= this.value ?? { from: 0, to: 0 }
  }

  onopentagend(): void {
    if (this.inLink && this.href && !this.untracked) this.links.push(this.href)
  }

  onselfclosingtag(): void {
    this.onopentagend()
  }

  onattribentity(): void {}
  oncdata(): void {}
  onclosetag(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}
}

// One tokenizer for all emails, so that its code stays optimised: a new one for each takes three times as long. Entities
// are decoded in targets only; decoding all of them would double the time.
const collector = new LinkCollector()
const tokenizer = new Tokenizer({ decodeEntities: false }, collector)

function linksIn(html: string): Range[] {
  tokenizer.reset()
  collector.html = html
  collector.links = []
  tokenizer.write(html)
  tokenizer.end()
  return collector.links
}
