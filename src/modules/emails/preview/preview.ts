import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Json } from '../../../kit/shapes.ts'
import { createShare } from '../../../kit/share.ts'
import { createThreads, TaskDropped, TaskKilled } from '../../../kit/threads.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { getContact } from '../../contacts/contacts.ts'
import { type DataPatch, sortData } from '../../contacts/data.ts'
import { getLinksUrl } from '../../domains/domains.ts'
import type { Utm } from '../../projects/shapes.ts'
import type { Template } from '../../templates/shapes.ts'
import { getTemplate } from '../../templates/templates.ts'
import type { Content, Recipient } from '../message/content.ts'
import { renderLimits, whyKilled } from '../message/limits.ts'
import type { TemplatePreview, TemplatePreviewDraft } from './shapes.ts'
import type { PreviewAnswer, PreviewTask } from './thread.ts'

/**
 * Renders a template as it would be sent to a contact, or to a sample one: with footer and preview text, within the same budget.
 * Nothing is stored, nothing is tracked, and the links of the contact's own pages change nothing. Fails with TEMPLATE_NOT_FOUND,
 * CONTACT_NOT_FOUND, and VALIDATION_ERROR with the sentence that would be the reason of a failed email.
 */
export async function previewTemplate(ctx: Ctx, draft: TemplatePreviewDraft): Promise<TemplatePreview> {
  const patch = sortData(draft.data as Record<string, Json> | undefined)
  // A template may have megabytes: it is read when it is its turn.
  const answer = await previewersOf(ctx.world).inShare(ownersOf(ctx), async () => render(ctx.world, await taskOf(ctx, draft, patch)))
  if (answer.kind === 'rendered') return answer.preview
  throw new Failure('VALIDATION_ERROR', answer.reason, {
    errors: [{ field: 'template', message: answer.reason, code: 'template_failed' }],
    suggestion: 'Change the template, or give the data that it needs.',
  })
}

async function taskOf(ctx: Ctx, { id, contactId }: TemplatePreviewDraft, { scope, set, removed }: DataPatch): Promise<PreviewTask> {
  const template = await getTemplate(ctx, { id })
  const recipient = await recipientOf(ctx, contactId ?? null)
  // What the call would store of the contact, and then what it would render with.
  for (const key of removed) delete recipient.contactData[key]
  Object.assign(recipient.contactData, set)
  const publicUrl = await getLinksUrl(ctx, template.from)
  return { recipient, content: contentOf(template, recipient, scope), publicUrl, budgetMs: ctx.config.RENDER_BUDGET_MS }
}

/** The recipient of an email that is not stored: a contact, or a subscribed one without data. Fails with CONTACT_NOT_FOUND. */
export async function recipientOf(ctx: Ctx, contactId: string | null): Promise<Recipient> {
  const { db, clock, projectId } = ctx
  const project = await db.prisma.project.findUnique({ where: { id: projectId }, select: { name: true, language: true, utm: true } })
  if (!project) throw notFound()
  const contact = contactId === null ? sample : await getContact(ctx, { id: contactId })
  return {
    projectId,
    id: sampleId('eml'),
    contactId: contact.id,
    source: 'TRANSACTIONAL',
    campaignId: null,
    toAddress: contact.email,
    toName: null,
    createdAt: clock.now(),
    subscribed: contact.subscribed,
    contactData: { ...(contact.data as Recipient['contactData']) },
    projectName: project.name,
    tracking: 'DISABLED',
    utm: project.utm as Utm | null,
    language: project.language,
  }
}

const sampleId = (prefix: string): string => `${prefix}_${'0'.repeat(26)}`
const sample = { id: sampleId('cnt'), email: 'recipient@example.com', subscribed: true, data: {} }

function contentOf(template: Template, { projectId }: Recipient, data: Content['data']): Content {
  return {
    projectId,
    id: sampleId('bdy'),
    templateId: template.id,
    type: template.type,
    subject: template.subject,
    previewText: template.previewText,
    html: template.body,
    text: null,
    fromAddress: template.from,
    fromName: template.fromName,
    replyTo: template.replyTo,
    cc: [],
    bcc: [],
    headers: {},
    data,
    tracking: false,
    attached: false,
    bytes: 0,
    attachments: [],
  }
}

async function render(world: World, task: PreviewTask): Promise<PreviewAnswer> {
  try {
    return await previewersOf(world).threads.run(() => task, { urgent: false, isHeavy: () => true })
  } catch (error) {
    if (error instanceof TaskKilled) return { kind: 'failed', reason: whyKilled(error.exceeded, task.budgetMs) }
    if (error instanceof TaskDropped)
      throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.', { headers: { 'Retry-After': '1' } })
    throw error
  }
}

// Threads of their own, so that no email waits for previews; projects take turns.
const previewersOf = perWorld((world) => {
  const threads = createThreads<PreviewTask, PreviewAnswer>({
    file: new URL('./thread.ts', import.meta.url),
    name: 'renderPreviews',
    data: {},
    foreground: false,
    ...renderLimits(world.config.RENDER_BUDGET_MS),
    closing: world.closing,
  })
  world.atClose(() => threads.close())
  return { threads, inShare: createShare({ max: 2, maxPerOwner: 1, busy: 'Other previews are being rendered at the moment.' }) }
})
