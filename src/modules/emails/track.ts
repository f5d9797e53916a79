import { decodeHTMLAttribute } from 'entities/decode'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { perWorld, type World } from '../../kit/world.ts'
import type { Mail } from './claim.ts'
import type { Content } from './contents.ts'
import { beforeBodyEnd, type Message } from './render.ts'

/** Adds the open pixel and leads links through us, where project and mail want it (decisions.md 7). */
export function trackMail(world: World, mail: Mail, content: Content, message: Message): Message {
  if (!isTracked(mail, content)) return message
  const { vault, publicUrl } = world
  const own = [message.links.unsubscribeUrl, message.links.subscribeUrl, message.links.manageUrl]
  const token = vault.sign(mailPurpose, [mail.projectId, mail.id])
  const linked = rewriteLinks(message.html, (url) =>
    own.some((page) => url.startsWith(page)) ? null : `${publicUrl}/t/c/${token}~${linkToken(world, mail.projectId, url)}`,
  )
  const pixel = `<img src="${publicUrl}/t/o/${token}" width="1" height="1" alt="" style="display:none">`
  return { ...message, html: beforeBodyEnd(linked, pixel) }
}

const mailPurpose = 'tracked mail'
const linkPurpose = 'tracked link'
const mostTokens = 5_000
const tokensOf = perWorld(() => new Map<string, string>())

// Most links are the same in every mail of a call: signed once, apart from the mail they stand in.
function linkToken(world: World, projectId: string, url: string): string {
  const tokens = tokensOf(world)
  const there = tokens.get(projectId + url)
  if (there) return there
  const token = world.vault.sign(linkPurpose, [projectId, url])
  if (tokens.size >= mostTokens) tokens.clear()
  tokens.set(projectId + url, token)
  return token
}

/** Whether opens and clicks of a mail are recorded: the mail's own wish, then the project's setting. */
export function isTracked({ tracking }: Pick<Mail, 'tracking'>, content: Pick<Content, 'tracking' | 'type'>): boolean {
  if (content.tracking !== null) return content.tracking
  if (tracking === 'MARKETING_ONLY') return content.type !== 'TRANSACTIONAL'
  return tracking === 'ENABLED'
}

/** The mail a pixel belongs to, or null when the token is forged. */
export function readOpenToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string } | null {
  const [projectId, id] = vault.verify(mailPurpose, token) ?? []
  return projectId && id ? { projectId, id } : null
}

/** The mail and target of a tracked link, or null when a part is forged or of another project: there is no open redirect. */
export function readClickToken({ vault }: Pick<World, 'vault'>, token: string): { projectId: string; id: string; url: string } | null {
  const [mailToken = '', link = ''] = token.split('~', 2)
  const mail = readOpenToken({ vault }, mailToken)
  const [projectId, url] = vault.verify(linkPurpose, link) ?? []
  return mail && url && projectId === mail.projectId ? { ...mail, url } : null
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
