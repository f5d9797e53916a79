import { randomBytes } from 'node:crypto'
import { CpuBudget, TemplateFailure } from '../../../kit/liquid.ts'
import { answering, threadData } from '../../../kit/threads.ts'
import { createVault } from '../../../kit/vault.ts'
import type { Content, Recipient } from '../message/content.ts'
import { trackContent } from '../message/links.ts'
import { renderContent } from '../message/render.ts'
import type { TemplatePreview } from './shapes.ts'

/** One email to render and not to send. */
export interface PreviewTask {
  recipient: Recipient
  content: Content
  publicUrl: string
  budgetMs: number
}

/** A rendered email, or why there is none, as a sentence. */
export type PreviewAnswer = { kind: 'rendered'; preview: TemplatePreview } | { kind: 'failed'; reason: string }

const { onSection } = threadData<object>()
// Nobody knows this secret: the links of a preview are signed as those of an email are, and change nothing.
const vault = createVault(randomBytes(32).toString('hex'))

/** Renders emails as they would be sent, without tracking. */
export const renderPreviews = answering(renderOne)

function renderOne({ recipient, content, publicUrl, budgetMs }: PreviewTask): PreviewAnswer {
  try {
    const budget = new CpuBudget(budgetMs, onSection)
    const world = { vault, publicUrl }
    const { subject, html, text } = trackContent(world, recipient, content, renderContent(world, { recipient, content, budget }))
    return { kind: 'rendered', preview: { subject, html, text } }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'failed', reason: error.message }
    throw error
  }
}
