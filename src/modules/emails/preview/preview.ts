import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Json } from '../../../kit/shapes.ts'
import { createThreadLanes } from '../../../kit/thread-lanes.ts'
import { TaskKilled } from '../../../kit/threads.ts'
import { perWorld } from '../../../kit/world.ts'
import { getContact } from '../../contacts/contacts.ts'
import { type DataPatch, sortData } from '../../contacts/data.ts'
import { getLinksUrl } from '../../domains/domains.ts'
import type { Utm } from '../../projects/shapes.ts'
import type { Template } from '../../templates/shapes.ts'
import { getTemplate } from '../../templates/templates.ts'
import type { Content, Recipient } from '../message/content.ts'
import { isLongBody, laneLimits, whyKilled } from '../message/limits.ts'
import type { EmailPreview, TemplatePreview, TemplatePreviewDraft } from './shapes.ts'
import type { PreviewAnswer, PreviewTask } from './thread.ts'

/** What an email that is not stored is made from. */
export type TestContent = Pick<Content, 'type' | 'subject' | 'previewText' | 'html' | 'fromAddress' | 'fromName' | 'replyTo'>

/** What an email is previewed from. */
export type PreviewContent = Omit<TestContent, 'fromAddress'> & { fromAddress: string | null }

/** For whom a preview is rendered: a contact, and what a call would say of it. */
export type PreviewRecipient = Pick<TemplatePreviewDraft, 'contactId' | 'data'>

/** Renders a template as it would be sent, see previewContent. Fails with TEMPLATE_NOT_FOUND as well. */
export async function previewTemplate(ctx: Ctx, { id, ...recipient }: TemplatePreviewDraft): Promise<TemplatePreview> {
  const { subject, html, text } = await previewContent(ctx, recipient, async () => contentOfTemplate(await getTemplate(ctx, { id })))
  return { subject, html, text }
}

/** The content of an email that a template makes. */
export function contentOfTemplate({ type, subject, previewText, body, from, fromName, replyTo }: Omit<Template, 'id'>): TestContent {
  return { type, subject, previewText, html: body, fromAddress: from, fromName, replyTo }
}

/**
 * Renders a content as it would be sent to a contact, or to a sample one: with footer and preview text, within the same budget.
 * Nothing is stored, nothing is tracked, and the links of the contact's own pages change nothing. Fails with CONTACT_NOT_FOUND, and
 * VALIDATION_ERROR with the sentence that would be the reason of a failed email, and as `load` does.
 */
export async function previewContent(ctx: Ctx, given: PreviewRecipient, load: () => Promise<PreviewContent>): Promise<EmailPreview> {
  const patch = sortData(given.data as Record<string, Json> | undefined)
  let content: PreviewContent | undefined
  // A body may have megabytes: it is read when it is its turn.
  const answer = await render(ctx, async () => {
    content = await load()
    return taskOf(ctx, content, given.contactId ?? null, patch)
  })
  if (answer.kind === 'rendered') return { ...answer.preview, from: content?.fromAddress ?? null, replyTo: content?.replyTo ?? null }
  throw new Failure('VALIDATION_ERROR', answer.reason, {
    errors: [{ field: 'template', message: answer.reason, code: 'template_failed' }],
    suggestion: 'Change the template, or give the data that it needs.',
  })
}

async function taskOf(
  ctx: Ctx,
  content: PreviewContent,
  contactId: string | null,
  { scope, set, removed }: DataPatch,
): Promise<PreviewTask> {
  const recipient = await recipientOf(ctx, contactId)
  // What the call would store of the contact, and then what it would render with.
  for (const key of removed) delete recipient.contactData[key]
  Object.assign(recipient.contactData, set)
  const fromAddress = content.fromAddress ?? ''
  const publicUrl = await getLinksUrl(ctx, fromAddress)
  const whole: Content = {
    ...blankContent,
    ...content,
    ...{ fromAddress, projectId: ctx.projectId, id: sampleId('bdy'), data: scope, tracking: null },
  }
  return { recipient, content: whole, publicUrl, budgetMs: ctx.config.RENDER_BUDGET_MS }
}

/** A content that says nothing: without tracking, headers, data and attachments. */
export const blankContent = {
  templateId: null,
  text: null,
  cc: [],
  bcc: [],
  headers: {},
  data: {},
  tracking: false,
  attached: false,
  bytes: 0,
  attachments: [],
} satisfies Partial<Content>

/** The recipient of an email that is not stored: a contact, or a subscribed one without data. Fails with CONTACT_NOT_FOUND. */
export async function recipientOf(ctx: Ctx, contactId: string | null): Promise<Recipient> {
  const { db, clock, projectId } = ctx
  const project = await db.prisma.project.findUnique({
    where: { id: projectId },
    select: { name: true, language: true, utm: true, tracking: true },
  })
  if (!project) throw notFound()
  const contact = contactId === null ? sample : await getContact(ctx, { id: contactId })
  return {
    projectId,
    id: sampleId('eml'),
    contactId: contact.id,
    source: 'TRANSACTIONAL',
    campaignId: null,
    toAddress: contact.email,
    isSample: true,
    toName: null,
    createdAt: clock.now(),
    subscribed: contact.subscribed,
    contactData: { ...(contact.data as Recipient['contactData']) },
    projectName: project.name,
    tracking: project.tracking,
    utm: project.utm as Utm | null,
    language: project.language,
  }
}

const sampleId = (prefix: string): string => `${prefix}_${'0'.repeat(26)}`
const sample = { id: sampleId('cnt'), email: 'recipient@example.com', subscribed: true, data: {} }

async function render(ctx: Ctx, load: () => Promise<PreviewTask>): Promise<PreviewAnswer> {
  try {
    return await previewersOf(ctx.world).run(ownersOf(ctx), load, ctx.left?.())
  } catch (error) {
    if (!(error instanceof TaskKilled)) throw error
    return { kind: 'failed', reason: whyKilled(error.exceeded, ctx.config.RENDER_BUDGET_MS) }
  }
}

// Threads of their own, so that no email waits for previews.
const previewersOf = perWorld((world) =>
  createThreadLanes<PreviewTask, PreviewAnswer>(world, {
    file: new URL('./thread.ts', import.meta.url),
    name: 'renderPreviews',
    data: {},
    ...laneLimits(world.config.RENDER_BUDGET_MS),
    isLong: ({ content }) => isLongBody(content.html),
    busy: 'Other previews are being rendered at the moment.',
  }),
)
