import { decodeHTMLAttribute } from 'entities/decode'
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { escapeHtml } from '../../../kit/html/escape.ts'
import { TemplateFailure } from '../../../kit/liquid.ts'
import { parseUrl } from '../../../kit/urls.ts'
import type { World } from '../../../kit/world.ts'
import type { Utm } from '../../projects/shapes.ts'
import type { ContactLinks } from '../subscription/links.ts'
import { trackingLinks } from '../tracking/links.ts'
import type { Content, Recipient } from './content.ts'
import { beforeBodyEnd, type RenderedContent } from './render.ts'

/** How the links of an email are changed, and its opens reported. */
export interface LinkTracking {
  /** The markup that reports when the email is opened; '' when that is not tracked. */
  pixel: string
  /** The link to a target; null for targets that stay: the contact's own pages, and those whose tracked link would be too long. */
  linkTo(url: string): string | null
}

/** How an email is tracked, and its links labelled with the UTM parameters of its project; null when neither. */
export function trackingOf(world: Sites, recipient: Recipient, content: Content, pages: ContactLinks): LinkTracking | null {
  const tracking = isTracked(recipient, content) ? trackingLinks(world, recipient) : null
  const utm = content.type === 'TRANSACTIONAL' ? null : recipient.utm
  if (!tracking && !utm) return null
  const ownPages = [pages.unsubscribeUrl, pages.subscribeUrl, pages.manageUrl]
  return {
    pixel: tracking ? `<img src="${tracking.pixelUrl}" width="1" height="1" alt="" style="display:none">` : '',
    linkTo(url) {
      if (ownPages.some((page) => url.startsWith(page))) return null
      const target = utm ? withUtm(url, utm) : url
      if (!tracking) return target === url ? null : escapeAttribute(target)
      if (target.length > maxTrackedLink) return null
      const link = tracking.clickUrl(target)
      return link.length > maxTrackedLink ? null : link
    },
  }
}

/** A target with UTM parameters, unless it has some already. */
export function withUtm(url: string, { source, medium, campaign }: Utm): string {
  const [address = ''] = url.split('#', 1)
  if (/[?&]utm_/i.test(address)) return url
  const values = [['utm_source', source] as const, ['utm_medium', medium] as const, ['utm_campaign', campaign] as const]
  const given = values.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value.toWellFormed())}`] : []))
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return address + separator + given.join('&') + url.slice(address.length)
}

// The attribute may have no quotes: then a space would end it.
function escapeAttribute(value: string): string {
  return escapeHtml(value).replace(/\s/g, (space) => `&#${space.charCodeAt(0)};`)
}

// A tracked link contains its target and is a third longer. Proxies often take no more than 8 KB for the first line of a request
// (RFC 9110, 4.1, recommends 8,000 octets), and Node 16 KB for it with all headers, cookies included: a longer link would lead the
// recipient to an error page. This leaves about 4 KB to the target.
const maxTrackedLink = 6_000

/** Adds the open pixel, and replaces links by tracked or labelled ones, as `trackingOf` says. */
export function trackContent(world: Sites, recipient: Recipient, content: Content, rendered: RenderedContent): RenderedContent {
  const tracking = trackingOf(world, recipient, content, rendered.links)
  if (!tracking) return rendered
  return { ...rendered, html: beforeBodyEnd(rewriteLinks(rendered.html, tracking.linkTo), tracking.pixel) }
}

type Sites = Pick<World, 'vault' | 'publicUrl'>

/** Whether opens and clicks of an email are tracked: by the setting of the call, otherwise by that of the project. */
export function isTracked({ tracking }: Pick<Recipient, 'tracking'>, content: Pick<Content, 'tracking' | 'type'>): boolean {
  if (content.tracking !== null) return content.tracking
  if (tracking === 'MARKETING_ONLY') return content.type !== 'TRANSACTIONAL'
  return tracking === 'ENABLED'
}

/** How many links of a body can be replaced: to sign each takes several µs, and makes it hundreds of bytes longer. */
export const maxLinks = 20_000

/**
 * Replaces the http(s) targets of `<a>` and `<area>` by the result of `replace`, which must not need quotes or escaping;
 * null keeps a target. Every other byte stays the same. Links marked `data-no-track` are kept, and so is everything that a
 * browser does not show as a link: comments, scripts, styles, titles, a tag that never ends. Throws TemplateFailure for more than
 * 20,000 links.
 */
export function rewriteLinks(html: string, replace: (url: string) => string | null): string {
  let out = ''
  let done = 0
  const links = linksIn(html)
  if (links.length > maxLinks)
    throw new TemplateFailure(
      `The body has more than ${maxLinks.toLocaleString('en')} links to track or to label. Leave some out, or send it without tracking and UTM parameters.`,
    )
  for (const { from, to } of links) {
    out += html.slice(done, from) + rewriteTarget(html.slice(from, to), replace)
    done = to
  }
  return out + html.slice(done)
}

/** The http(s) targets of the links of an HTML document, each once, in order; those marked `data-no-track` are left out. */
export function linksOf(html: string): string[] {
  const targets = linksIn(html).map(({ from, to }) => html.slice(from, to))
  return [...new Set(targets.filter(isTrackable).map(urlOf))]
}

/** Replaces one target as it stands in HTML, as rewriteLinks does. */
export function rewriteTarget(target: string, replace: (url: string) => string | null): string {
  return isTrackable(target) ? (replace(urlOf(target)) ?? target) : target
}

/** Whether a target, as it stands in HTML, is an http(s) address. */
export function isTrackable(target: string): boolean {
  const url = urlOf(target)
  return /^https?:\/\//i.test(url) && parseUrl(url) !== null
}

function urlOf(target: string): string {
  return decodeHTMLAttribute(target).trim()
}

/** Where something stands in a text. */
export interface Range {
  from: number
  to: number
}

// The target of an href without a value.
const nowhere: Range = { from: 0, to: 0 }

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

  onattribend(_quote: QuoteType): void {
    if (this.inLink && this.attribute === 'href') this.href ??= this.value ?? nowhere
  }

  onopentagend(): void {
    if (this.inLink && this.href && this.href !== nowhere && !this.untracked) this.links.push(this.href)
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
  ontext(_from: number, _to: number): void {}
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

// Also collects where a value can be printed without changing the structure: in text, and between the quotes of an attribute.
class PlaceCollector extends LinkCollector {
  texts: Range[] = []
  quoted: Range[] = []
  private data: Range | undefined

  override onattribname(start: number, end: number): void {
    super.onattribname(start, end)
    this.data = undefined
  }

  override onattribdata(from: number, to: number): void {
    super.onattribdata(from, to)
    this.data = { from: this.data?.from ?? from, to }
  }

  override onattribend(quote: QuoteType): void {
    super.onattribend(quote)
    if (this.data && quote !== QuoteType.Unquoted && quote !== QuoteType.NoValue) this.quoted.push(this.data)
  }

  override ontext(from: number, to: number): void {
    this.texts.push({ from, to })
  }
}

/** The links of a body, and whether a value without `<>"'` can be printed at a place without changing anything around it. */
export function structureOf(html: string): { links: Range[]; isSafe(at: number): boolean } {
  const found = new PlaceCollector()
  found.html = html
  const places = new Tokenizer({ decodeEntities: false }, found)
  places.write(html)
  places.end()
  const isIn = (ranges: readonly Range[], at: number): boolean => ranges.some(({ from, to }) => from <= at && at < to)
  // After a "<" that begins no tag, a value could make it one.
  const isOpen = (at: number): boolean => html.lastIndexOf('<', at) > html.lastIndexOf('>', at)
  return { links: found.links, isSafe: (at) => isIn(found.quoted, at) || (isIn(found.texts, at) && !isOpen(at)) }
}
