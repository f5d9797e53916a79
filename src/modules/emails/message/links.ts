import { decodeHTMLAttribute } from 'entities/decode'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { World } from '../../../kit/world.ts'
import { emailToken, linkToken } from '../tracking/tokens.ts'
import type { Content, Recipient } from './content.ts'
import { beforeBodyEnd, type RenderedContent } from './render.ts'

/** Adds the open pixel and leads links through us, where project and mail want it. */
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
 * Replaces the targets of http(s) links of `<a>` and `<area>` by what `replace` answers (null leaves one as it is), which
 * must need no quotes; the rest of the text stays as it is to the byte. Links marked `data-no-track` stay, and so does what
 * a browser shows no link for: comments, scripts, styles, titles, a tag that never ends.
 */
export function rewriteLinks(html: string, replace: (url: string) => string | null): string {
  let out = ''
  let done = 0
  for (const { from, to } of linksIn(html)) {
    const url = decodeHTMLAttribute(html.slice(from, to)).trim()
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) continue
    const instead = replace(url)
    if (instead === null) continue
    out += html.slice(done, from) + instead
    done = to
  }
  return out + html.slice(done)
}

/** Where the value of an attribute stands in the text. */
interface Range {
  from: number
  to: number
}

// Collects what the tokenizer finds: of each <a> and <area> the first href, as HTML has it, once the tag has ended.
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

// One for all mails, whose code stays optimised: a new one for each takes three times as long. Entities are decoded where
// they are wanted, in targets; decoding all of them would double the time.
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
