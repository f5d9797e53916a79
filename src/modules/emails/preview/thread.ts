import { randomBytes } from 'node:crypto'
import { CpuBudget, TemplateFailure } from '../../../kit/liquid.ts'
import { missingVariables } from '../../../kit/template-variables.ts'
import { answering, threadData } from '../../../kit/threads.ts'
import { createVault } from '../../../kit/vault.ts'
import { senderName } from '../message/compose.ts'
import type { Content, Recipient } from '../message/content.ts'
import { linksOf, trackContent } from '../message/links.ts'
import { renderContent, renderPreviewText, scopeOf } from '../message/render.ts'
import type { EmailPreview } from './shapes.ts'

/** One email to render and not to send. */
export interface PreviewTask {
  /** With the tracking of the project, by which the size is that of the email as it is sent. */
  recipient: Recipient
  content: Content
  publicUrl: string
  budgetMs: number
}

/** What is known of an email once it is rendered. */
export type RenderedPreview = Omit<EmailPreview, 'from' | 'replyTo'>

/** A rendered email, or why there is none, as a sentence. */
export type PreviewAnswer = { kind: 'rendered'; preview: RenderedPreview } | { kind: 'failed'; reason: string }

const { onSection } = threadData<object>()
// Nobody knows this secret: the links of a preview are signed as those of an email are, and change nothing.
const vault = createVault(randomBytes(32).toString('hex'))

/** Renders emails as they would be sent, without tracking. */
export const renderPreviews = answering(renderOne)

function renderOne({ recipient, content, publicUrl, budgetMs }: PreviewTask): PreviewAnswer {
  try {
    const budget = new CpuBudget(budgetMs, onSection)
    const world = { vault, publicUrl }
    const rendered = renderContent(world, { recipient, content, budget })
    const { subject, html, text } = trackContent(world, recipient, { ...content, tracking: false }, rendered)
    const sizeBytes = Buffer.byteLength(trackContent(world, recipient, content, rendered).html)
    const scope = scopeOf(recipient, content, rendered.links)
    const ownPages = [rendered.links.unsubscribeUrl, rendered.links.subscribeUrl, rendered.links.manageUrl]
    const links = linksOf(html).filter((url) => !ownPages.some((page) => url.startsWith(page)))
    const previewText = renderPreviewText(content, scope, budget) || null
    const fromName = senderName(content, recipient)
    const missing = missingIn(content, scope)
    return {
      kind: 'rendered',
      preview: { subject, previewText, fromName, html, text, missing, links: links.slice(0, maxLinks), sizeBytes },
    }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'failed', reason: error.message }
    throw error
  }
}

const maxLinks = 500
const maxMissing = 100

function missingIn({ subject, previewText, html }: Content, scope: Record<string, unknown>): string[] {
  const missing = [subject, previewText ?? '', html].flatMap((source) => missingVariables(source, scope))
  return [...new Set(missing)].slice(0, maxMissing)
}
