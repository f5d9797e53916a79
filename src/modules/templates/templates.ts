import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { numberedPage } from '../../kit/paging.ts'
import { requireSendingDomain } from '../domains/domains.ts'
import { requireLiquid } from './check.ts'
import { longestName, type Template, type TemplateChange, type TemplateDraft, type TemplateSearch, type TemplateUsage } from './shapes.ts'

const visible = {
  id: true,
  name: true,
  description: true,
  subject: true,
  body: true,
  from: true,
  fromName: true,
  replyTo: true,
  type: true,
  createdAt: true,
  updatedAt: true,
} as const

/** The templates of the project, newest first, by type and by words in name, description or subject. */
export async function listTemplates({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, search: TemplateSearch) {
  const words = search.search && { contains: literally(search.search), mode: 'insensitive' as const }
  const where = {
    projectId,
    ...(search.type && { type: search.type }),
    ...(words && { OR: [{ name: words }, { description: words }, { subject: words }] }),
  }
  const found = await numberedPage<Template>(
    search,
    (window) => db.prisma.template.findMany({ where, select: visible, orderBy: { id: 'desc' }, ...window }),
    () => db.prisma.template.count({ where }),
  )
  return { ...found, templates: found.data }
}

/** One template. Fails with TEMPLATE_NOT_FOUND. */
export async function getTemplate({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Template> {
  const template = await db.prisma.template.findUnique({ where: { projectId_id: { projectId, id } }, select: visible })
  if (!template) throw notFound('TEMPLATE_NOT_FOUND')
  return template
}

/**
 * Makes a template. Fails with VALIDATION_ERROR for Liquid that does not parse, with line and column, and with
 * DOMAIN_NOT_VERIFIED when `from` is not on a verified domain.
 */
export async function createTemplate(ctx: Ctx, draft: TemplateDraft): Promise<Template> {
  requireLiquid(draft)
  await requireSendingDomain(ctx, draft.from)
  const { db, clock, projectId } = ctx
  const now = clock.now()
  const name = draft.name ?? (cut(draft.subject, longestName).trim() || untitled)
  return db.prisma.template.create({
    data: { ...draft, name, projectId, id: newId('template', now), createdAt: now, updatedAt: now },
    select: visible,
  })
}

/** Changes what is sent; null empties fromName, replyTo and description. Fails as createTemplate, and with TEMPLATE_NOT_FOUND. */
export async function updateTemplate(ctx: Ctx, { id, ...change }: TemplateChange): Promise<Template> {
  await getTemplate(ctx, { id })
  requireLiquid(change)
  if (change.from !== undefined) await requireSendingDomain(ctx, change.from)
  const { db, clock, projectId } = ctx
  const [template] = await db.prisma.template.updateManyAndReturn({
    where: { projectId, id },
    data: { ...change, updatedAt: clock.now() },
    select: visible,
  })
  if (!template) throw notFound('TEMPLATE_NOT_FOUND')
  return template
}

/** Deletes a template; mails made from it stay. Fails with TEMPLATE_NOT_FOUND. */
export async function deleteTemplate({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<void> {
  const { count } = await db.prisma.template.deleteMany({ where: { projectId, id } })
  if (count === 0) throw notFound('TEMPLATE_NOT_FOUND')
}

/** Copies a template under its name with ` (Copy)` added. Fails with TEMPLATE_NOT_FOUND. */
export async function duplicateTemplate(ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>, { id }: { id: string }): Promise<Template> {
  const source = await getTemplate(ctx, { id })
  const now = ctx.clock.now()
  const name = `${cut(source.name, longestName - copyMark.length)}${copyMark}`
  return ctx.db.prisma.template.create({
    data: { ...source, name, projectId: ctx.projectId, id: newId('template', now), createdAt: now, updatedAt: now },
    select: visible,
  })
}

/** What uses a template, and how many mails made from it have left. Fails with TEMPLATE_NOT_FOUND. */
export async function getTemplateUsage(ctx: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<TemplateUsage> {
  const { db, projectId } = ctx
  await getTemplate(ctx, { id })
  const emailsSent = await db.prisma.email.count({ where: { projectId, sentAt: { not: null }, content: { projectId, templateId: id } } })
  return { campaigns: [], workflowSteps: [], emailsSent }
}

const copyMark = ' (Copy)'
const untitled = 'Untitled'

// Cut between characters, never inside a surrogate pair.
function cut(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
}

// Prisma passes the wildcards of LIKE through.
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
