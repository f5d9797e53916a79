import { escapeHtml } from '../../../kit/html/escape.ts'
import { type CpuBudget, renderTemplate, TemplateFailure, type TemplateFormat } from '../../../kit/liquid.ts'
import { recent } from '../../../kit/recent.ts'
import type { World } from '../../../kit/world.ts'
import { type ContactLinks, contactLinks } from '../subscription/links.ts'
import { wordingFor } from '../subscription/wording.ts'
import { type Content, linkSubjectOf, type Recipient } from './content.ts'
import { bodyStart, maxPreviewLength, previewMarkup } from './preview-text.ts'
import { toPlainText } from './text.ts'

/** A content rendered for one recipient: its subject and bodies, before they become MIME. */
export interface RenderedContent {
  subject: string
  html: string
  text: string
  /** Whether the List-Unsubscribe headers are added: for MARKETING, and when the body has a link to unsubscribe. */
  unsubscribable: boolean
  links: ContactLinks
}

/**
 * Renders subject, HTML and text for a recipient, as well-formed Unicode without NUL. The text is made from the HTML when the
 * content has none; the preview text is hidden in the HTML, and a footer is added to MARKETING emails. Throws TemplateFailure, also
 * when all of them exceed the budget.
 */
export function renderContent(
  world: Pick<World, 'vault' | 'publicUrl'>,
  { recipient, content, budget }: { recipient: Recipient; content: Content; budget: CpuBudget },
): RenderedContent {
  const links = contactLinks(world, linkSubjectOf(recipient))
  const scope = scopeOf(recipient, content, links)
  const render: Render = (source, format) => clean(renderTemplate(source, scope, format, budget))
  const subject = renderSubject(content, scope, budget)
  const preview = renderPreview(content, scope, budget)
  const html = render(content.html, 'html')
  const text = content.text === null ? textOf(content.html, html, render) : render(content.text, 'text')
  const unsubscribable = content.type === 'MARKETING' || isUnsubscribable(html, links) || isUnsubscribable(text, links)
  const rendered = { subject, html: atBodyStart(html, preview), text, unsubscribable, links }
  return content.type === 'MARKETING' ? withFooter(rendered, recipient, links) : rendered
}

/** Renders the subject as one line. Throws TemplateFailure, also when it is longer than 998 characters. */
export function renderSubject(content: Pick<Content, 'subject'>, scope: Record<string, unknown>, budget: CpuBudget): string {
  const subject = oneLine(clean(renderTemplate(content.subject, scope, 'text', budget)))
  if (subject.length > maxSubjectLength) throw new TemplateFailure(`The subject is longer than ${maxSubjectLength} characters.`)
  return subject
}

/** Renders the preview text of a content as hidden markup; '' when there is none. Throws TemplateFailure. */
export function renderPreview(content: Pick<Content, 'previewText'>, scope: Record<string, unknown>, budget: CpuBudget): string {
  return previewMarkup(renderPreviewText(content, scope, budget))
}

/** Renders the preview text of a content as one line, cut after 200 characters; '' when there is none. Throws TemplateFailure. */
export function renderPreviewText(
  { previewText }: Pick<Content, 'previewText'>,
  scope: Record<string, unknown>,
  budget: CpuBudget,
): string {
  if (previewText === null) return ''
  const text = oneLine(clean(renderTemplate(previewText, scope, 'text', budget)))
  // Not in the middle of a surrogate pair.
  const end = maxPreviewLength - (/[\uD800-\uDBFF]/.test(text[maxPreviewLength - 1] ?? '') ? 1 : 0)
  return text.slice(0, end)
}

// As for a subject without placeholders (RFC 5322, 2.1.1).
const maxSubjectLength = 998

/** Whether a body has a link to unsubscribe. */
export function isUnsubscribable(body: string, { unsubscribeUrl, manageUrl }: ContactLinks): boolean {
  return body.includes(unsubscribeUrl) || body.includes(manageUrl)
}

/** The values that templates can print. */
export function scopeOf(recipient: Recipient, content: Content, links: ContactLinks): Record<string, unknown> {
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

// A filter can cut an emoji in half or decode a NUL; neither can be stored in Postgres or sent.
function clean(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  return whole.isWellFormed() ? whole : whole.toWellFormed()
}

// A value may contain line breaks: in a header they would start another field (RFC 5322, 2.2).
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ').trim()
}

// Most bodies only print values between tags: for those, the template is converted to text once and then rendered.
const rawOutput = /\|\s*raw\b/
const textTemplates = recent<string, { text: string | null }>({
  max: 1_000,
  weight: { max: 16_000_000, weigh: ({ text }, template) => 2 * ((text?.length ?? 0) + template.length) },
})

type Render = (source: string, format: TemplateFormat) => string

function textOf(template: string, html: string, render: Render): string {
  const textTemplate = textTemplateOf(template)
  return textTemplate === null ? toPlainText(html) : render(textTemplate, 'text')
}

/** The text template of an HTML template; null when its text can only be made from what it prints. */
export function textTemplateOf(template: string): string | null {
  if (template.includes('{%') || rawOutput.test(template)) return null
  return textTemplates.getOrMake(template, () => {
    const tight = withTightOutputs(template)
    const text = toPlainText(tight)
    return { text: hasOnlyOutputsOf(text, tight) ? text : null }
  }).text
}

// The conversion compares the address of a link with its words without the spaces between them, and shows one that is the same once.
function withTightOutputs(template: string): string {
  const [first = '', ...others] = template.split('{{')
  const tight = (part: string): string => {
    const inner = part.slice(0, Math.max(0, part.indexOf('}}')))
    // A string may have the spaces, and the braces.
    return /["']/.test(inner) ? part : inner.trim() + part.slice(inner.length)
  }
  return [first, ...others.map(tight)].join('{{')
}

// The conversion changes what looks like HTML, such as a reference in an output, or `{%` that was written as one.
function hasOnlyOutputsOf(text: string, template: string): boolean {
  if (text.includes('{%')) return false
  const known = new Set(outputsOf(template))
  return outputsOf(text).every((output) => known.has(output))
}

// One that never ends is the rest of the text. A regular expression would look for the end of each of many such.
function outputsOf(text: string): string[] {
  const outputs: string[] = []
  for (let from = text.indexOf('{{'); from !== -1; ) {
    const end = text.indexOf('}}', from)
    if (end === -1) return [...outputs, text.slice(from)]
    outputs.push(text.slice(from, end + 2))
    from = text.indexOf('{{', end + 2)
  }
  return outputs
}

function withFooter(rendered: RenderedContent, recipient: Recipient, links: ContactLinks): RenderedContent {
  const footer = footerOf(recipient, links)
  return { ...rendered, html: beforeBodyEnd(rendered.html, footer.html), text: rendered.text + footer.text }
}

/** What is added to the bodies of MARKETING emails. */
export function footerOf(recipient: Recipient, links: ContactLinks): { html: string; text: string } {
  const { words } = wordingFor(recipient.contactData.locale, recipient.language)
  const sentence = words.footer.replace('{project}', () => recipient.projectName)
  return {
    html:
      '<hr style="border:none;border-top:1px solid #eaeaea;margin:24px 0 12px"><p style="text-align:center;font-size:12px;line-height:18px;color:#6b7280">' +
      `${escapeHtml(sentence)} <a href="${links.manageUrl}" style="color:#6b7280">${escapeHtml(words.preferences)}</a>.</p>`,
    text: `\n\n-- \n${sentence} ${words.preferences}: ${links.manageUrl}\n`,
  }
}

function atBodyStart(html: string, markup: string): string {
  if (markup === '') return html
  const at = bodyStart(html)
  return html.slice(0, at) + markup + html.slice(at)
}

/** Inserts markup where the body ends, see `bodyEnd`. */
export function beforeBodyEnd(html: string, markup: string): string {
  const at = bodyEnd(html)
  return html.slice(0, at) + markup + html.slice(at)
}

/**
 * Where the last `</body` begins; the end when none of the closing tags in the last 4,096 characters is one, nor the one before
 * them: a long text without it is not read to its start.
 */
export function bodyEnd(html: string): number {
  const at = lastIndexOfTag(html)
  return at === -1 ? html.length : at
}

function lastIndexOfTag(html: string): number {
  for (let at = html.lastIndexOf('</'); at !== -1; at = at === 0 ? -1 : html.lastIndexOf('</', at - 1)) {
    if (html.slice(at + 2, at + 6).toLowerCase() === 'body') return at
    if (html.length - at > 4_096) return -1
  }
  return -1
}
