import { convert } from 'html-to-text'
import { recent } from '../../../kit/cache.ts'
import { escapeHtml } from '../../../kit/html/page.ts'
import { renderTemplate } from '../../../kit/liquid.ts'
import type { World } from '../../../kit/world.ts'
import { type ContactLinks, contactLinks } from '../subscription/links.ts'
import { wordingFor } from '../subscription/wording.ts'
import type { Content, Recipient } from './content.ts'

/** A content rendered for one recipient: subject and bodies as text, before MIME. */
export interface RenderedContent {
  subject: string
  html: string
  text: string
  /** Whether the recipient can unsubscribe by the body, or the mail is of a kind that must offer it. */
  unsubscribable: boolean
  links: ContactLinks
}

/**
 * Renders subject, HTML and text for a recipient; a text part is made from the HTML when
 * none was given, and MARKETING mail gets its footer. Throws TemplateFailure.
 */
export function renderContent(world: World, recipient: Recipient, content: Content): RenderedContent {
  const links = contactLinks(world, { projectId: recipient.projectId, contactId: recipient.contactId, emailId: recipient.id })
  const scope = scopeOf(recipient, content, links)
  const subject = oneLine(renderTemplate(content.subject, scope, 'text'))
  const html = renderTemplate(content.html, scope, 'html')
  const text = content.text === null ? textOf(content.html, html, scope) : renderTemplate(content.text, scope, 'text')
  const unsubscribable =
    content.type === 'MARKETING' || [links.unsubscribeUrl, links.manageUrl].some((url) => html.includes(url) || text.includes(url))
  const message = { subject, html, text, unsubscribable, links }
  return content.type === 'MARKETING' ? withFooter(message, recipient, links) : message
}

function scopeOf(recipient: Recipient, content: Content, links: ContactLinks): Record<string, unknown> {
  const data = { ...recipient.contactData, ...content.data }
  return {
    ...data,
    data,
    id: recipient.contactId,
    plunk_id: recipient.contactId,
    email: recipient.toAddress,
    plunk_email: recipient.toAddress,
    subscribed: recipient.subscribed,
    locale: data.locale ?? recipient.language,
    ...links,
  }
}

// A value may hold line breaks: in a header they would start another (RFC 5322, 2.2).
function oneLine(text: string): string {
  return text.replace(/[\r\n\0\u2028\u2029]+/g, ' ').trim()
}

// Most bodies only print values between tags: their text is made once from the template and rendered like it.
const rawOutput = /\|\s*raw\b/
const textTemplates = recent<string, string>({
  max: 1_000,
  weight: { max: 16_000_000, weigh: (text, template) => 2 * (text.length + template.length) },
})

function textOf(template: string, html: string, scope: Record<string, unknown>): string {
  if (template.includes('{%') || rawOutput.test(template)) return plain(html)
  const cached = textTemplates.get(template)
  if (cached !== undefined) return renderTemplate(cached, scope, 'text')
  const made = plain(template)
  if (made.split('{{').length > template.split('{{').length) return plain(html)
  textTemplates.set(template, made)
  return renderTemplate(made, scope, 'text')
}

const heading = { options: { uppercase: false } }

function plain(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 2_000_000, maxDepth: 200 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
      { selector: 'table', options: { uppercaseHeaderCells: false } },
    ],
  })
}

function withFooter(message: RenderedContent, recipient: Recipient, links: ContactLinks): RenderedContent {
  const { words } = wordingFor(recipient.contactData.locale, recipient.language)
  const sentence = words.footer.replace('{project}', () => recipient.projectName)
  const footer =
    '<hr style="border:none;border-top:1px solid #eaeaea;margin:24px 0 12px"><p style="text-align:center;font-size:12px;line-height:18px;color:#6b7280">' +
    `${escapeHtml(sentence)} <a href="${links.manageUrl}" style="color:#6b7280">${escapeHtml(words.preferences)}</a>.</p>`
  return {
    ...message,
    html: beforeBodyEnd(message.html, footer),
    text: `${message.text}\n\n-- \n${sentence} ${words.preferences}: ${links.manageUrl}\n`,
  }
}

/** Puts markup before the last </body>, or at the end of a fragment. */
export function beforeBodyEnd(html: string, markup: string): string {
  const at = lastIndexOfTag(html)
  return at === -1 ? html + markup : html.slice(0, at) + markup + html.slice(at)
}

function lastIndexOfTag(html: string): number {
  for (let at = html.lastIndexOf('</'); at > 0; at = html.lastIndexOf('</', at - 1)) {
    if (html.slice(at + 2, at + 6).toLowerCase() === 'body') return at
    if (html.length - at > 4_096) return -1
  }
  return -1
}
