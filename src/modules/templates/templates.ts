import { bodyLoader, readBodies, tooManyBodies } from '../../kit/bodies.ts'
import type { Ctx } from '../../kit/context.ts'
import { copyName, cutText } from '../../kit/cut.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { JsonText } from '../../kit/json-text.ts'
import { loader, type ReadingAlone } from '../../kit/load.ts'
import { type ConnectionArgs, type IdWindow, idKey, numberedPage, readConnection } from '../../kit/paging.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { type IfUnchanged, requireUnchanged } from '../../kit/unchanged.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import { holdSendingDomain, requireSendingDomain } from '../domains/domains.ts'
import { requireLiquid } from './check.ts'
import {
  type EditedTemplate,
  maxNameLength,
  type StoredTemplate,
  type Template,
  type TemplateFilter,
  type TemplateSearch,
  type WrittenTemplateChange,
  type WrittenTemplateDraft,
} from './shapes.ts'
import {
  changeTemplate,
  detachCampaigns,
  findWorkflowSending,
  insertTemplate,
  lockTemplate,
  lockToChange,
  removeTemplate,
  selectBodies,
  selectDocuments,
  selectStepsWith,
  selectWritten,
} from './sql.ts'
import { saveVersion } from './versions/keep.ts'
import { keepFirstVersion } from './versions/sql.ts'
import { bodyOfDocument, requireMode } from './visual/document.ts'
import type { VisualDocument } from './visual/shapes.ts'
import type { DocumentOf } from './visual/whole.ts'
import { readWritten, type WrittenBody } from './visual/written.ts'

type Call = Pick<Ctx, 'db' | 'projectId' | 'takeRoom'>

/** The columns of a template that are shown. */
export const templateColumns = {
  id: true,
  name: true,
  description: true,
  subject: true,
  previewText: true,
  body: true,
  mode: true,
  from: true,
  fromName: true,
  replyTo: true,
  type: true,
  createdAt: true,
  updatedAt: true,
} as const

// A body may have megabytes: those of a page are read apart, within a bound.
const { body: _, ...columnsBesideBody } = templateColumns

/** The templates of the project, newest first, filtered by type and by a part of name, description or subject. */
function templateList({ db, projectId }: Call, { search, type }: TemplateFilter) {
  const words = search ? { contains: escapeLike(search), mode: 'insensitive' as const } : undefined
  const where = {
    projectId,
    ...(type && { type }),
    ...(words && { OR: [{ name: words }, { description: words }, { subject: words }] }),
  }
  return { where, count: () => db.prisma.template.count({ where }) }
}

/**
 * A page of the templates of the project, newest first, filtered by type and by a part of name, description or subject. Fails
 * with PAYLOAD_TOO_LARGE when their bodies, if there are several, have more than 4 MB together.
 */
export async function listTemplates(ctx: Call, search: TemplateSearch) {
  const { where, count } = templateList(ctx, search)
  const read = async (window: { skip: number; take: number }) => {
    const rows = await ctx.db.prisma.template.findMany({ where, select: { id: true }, orderBy: { id: 'desc' }, ...window })
    const ids = rows.map(({ id }) => id)
    // The page has each of them twice, as `data` and as `templates`.
    const bodies = await readBodies(ctx, ids, { select: selectBodies, copies: 2 })
    // Each as it was when its body was read. One that was deleted meanwhile has none any more.
    return ids.flatMap((id) => bodies.get(id) ?? [])
  }
  const found = await numberedPage<Template>(search, read, count)
  return { ...found, templates: found.data }
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectTemplates(ctx: Call, filter: TemplateFilter, args: ConnectionArgs, query: object) {
  const { where, count } = templateList(ctx, filter)
  const read = async ({ where: between, ...window }: IdWindow) => ({
    rows: (await ctx.db.prisma.template.findMany({ ...query, ...window, where: { ...where, ...between } })) as EditedTemplate[],
  })
  return readConnection<EditedTemplate>({ kind: 'template', read, count }, args)
}

/** One template, or null when there is none; many asked at once are read in one statement. */
export const findTemplate = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.template.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

/** Some templates as a connection, newest first, as they come; those of a page of concurrent calls are one statement. */
export async function connectTemplatesByIds(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  templates: readonly { id: string }[],
  args: ConnectionArgs,
  query: object,
) {
  const page = connectWhole(templates, args, { keyOf: (one) => [one.id] as const, shape: idKey('template'), newestFirst: true })
  const nodes = await Promise.all(page.edges.map(({ node }) => findTemplate(ctx, node, query)))
  return { ...page, edges: page.edges.flatMap(({ cursor }, at) => (nodes[at] ? [{ cursor, node: nodes[at] }] : [])) }
}

/** One template, read in one statement, so that its body is that of its subject. Fails with TEMPLATE_NOT_FOUND. */
export async function getTemplate(ctx: Call, { id }: { id: string }): Promise<EditedTemplate> {
  const template = (await readBodies(ctx, [id], { select: selectBodies })).get(id)
  if (!template) throw notFound('TEMPLATE_NOT_FOUND')
  return template
}

/** The same without its body, for GraphQL. Fails with TEMPLATE_NOT_FOUND. */
export async function getStoredTemplate({ db, projectId }: Call, { id }: { id: string }): Promise<StoredTemplate> {
  const template = await db.prisma.template.findUnique({ where: { projectId_id: { projectId, id } }, select: columnsBesideBody })
  if (!template) throw notFound('TEMPLATE_NOT_FOUND')
  return template
}

const loadBody = bodyLoader({ select: selectBodies })

/**
 * The body of a template, which may have megabytes: of those that a call asks for at once only the first one and 4 MB are read. Fails
 * with PAYLOAD_TOO_LARGE for the others, and with TEMPLATE_NOT_FOUND.
 */
export async function getTemplateBody(ctx: ReadingAlone, { id, body }: { id: string; body?: string | null }): Promise<string> {
  if (body === null) throw tooManyBodies()
  const found = body ?? (await loadBody(ctx, { id }))
  if (found === null) throw notFound('TEMPLATE_NOT_FOUND')
  return found
}

const loadDocument = bodyLoader({ select: selectDocuments })

/** The same with the document that its body was made of. Fails with TEMPLATE_NOT_FOUND. */
export async function getWrittenTemplate(ctx: Call, { id }: { id: string }): Promise<EditedTemplate & WrittenBody> {
  const template = await readWritten(ctx, { id, select: selectWritten })
  if (!template) throw notFound('TEMPLATE_NOT_FOUND')
  return template
}

/** The document of a visual template, null for one of HTML. Fails with PAYLOAD_TOO_LARGE, as for bodies. */
export async function getTemplateDocument(ctx: ReadingAlone, { id, mode, document }: DocumentOf): Promise<JsonText | null> {
  if (mode === 'HTML') return null
  if (document === null) throw tooManyBodies()
  if (document) return document
  const json = await loadDocument(ctx, { id })
  return json === null ? null : new JsonText(json)
}

/**
 * Creates a template, of HTML or of a document. Fails with VALIDATION_ERROR, with line and column, for Liquid that cannot be parsed, and
 * with DOMAIN_NOT_VERIFIED when `from` is not on a verified domain.
 */
export async function createTemplate(ctx: Ctx, { document, ...draft }: WrittenTemplateDraft & Written): Promise<EditedTemplate> {
  const body = document ? bodyOfDocument(ctx, document) : (draft.body ?? '')
  await requireLiquid(ctx, { ...draft, body })
  await requireSendingDomain(ctx, draft.from)
  const name = draft.name ?? (cutText(draft.subject, maxNameLength).trim() || untitled)
  return addTemplate(ctx, { ...draft, name, body }, { document, begin: (tx) => holdSendingDomain(tx, ctx.projectId, draft.from) })
}

/**
 * Changes a template; fields that are left out stay, null clears previewText, fromName, replyTo and description. Another body, or the mode
 * HTML, makes a visual template one of HTML; its versions keep the document. Fails like createTemplate, with TEMPLATE_NOT_FOUND, with
 * VALIDATION_ERROR for a document of an HTML template, and with CONFLICT when it has changed since `ifUpdatedAt`.
 */
export async function updateTemplate(
  ctx: Ctx,
  { id, ifUpdatedAt, ...change }: WrittenTemplateChange & IfUnchanged,
): Promise<EditedTemplate> {
  const { db, clock, projectId } = ctx
  const stored = await getStoredTemplate(ctx, { id })
  requireUnchanged(stored, { ifUpdatedAt })
  requireMode(stored, change, asTemplate)
  const { document, mode, ...rest } = change
  const body = document ? bodyOfDocument(ctx, document) : rest.body
  await requireLiquid(ctx, { ...rest, body })
  if (rest.from !== undefined) await requireSendingDomain(ctx, rest.from)
  return db.transaction(async (tx) => {
    const [locked] = await tx.run(lockToChange, [projectId, id, body ?? null])
    if (!locked) throw notFound('TEMPLATE_NOT_FOUND')
    if (rest.from !== undefined) await holdSendingDomain(tx, projectId, rest.from)
    // It may have been changed since it was read above.
    requireUnchanged(locked, { ifUpdatedAt })
    requireMode(locked, change, asTemplate)
    await tx.run(keepFirstVersion, [projectId, id])
    const isSameKind = !document && mode !== 'HTML' && (body === undefined || locked.sameBody)
    const values = valuesOf({ ...locked, ...given(rest), body }, document)
    const [template] = await tx.run(changeTemplate, [projectId, id, ...values, clock.now(), isSameKind])
    if (!template) throw notFound('TEMPLATE_NOT_FOUND')
    await saveVersion(ctx, tx, { id })
    return template
  })
}

const asTemplate = { what: 'template', suggestion: 'Create a visual template, or restore a version of this one that was visual.' }

interface Written {
  document?: VisualDocument | undefined
}

type Values = Omit<StoredTemplate, 'id' | 'mode' | 'createdAt' | 'updatedAt'> & { body: string | undefined }

function valuesOf({ name, description, subject, previewText, body, from, fromName, replyTo, type }: Values, document: unknown): unknown[] {
  const json = document instanceof JsonText ? document.text : document == null ? null : JSON.stringify(document)
  return [name, description, subject, previewText, body ?? null, json, from, fromName, replyTo, type]
}

// Fields that are undefined were not given.
function given<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

type Added = Pick<Values, 'name' | 'subject' | 'from'> & { body: string } & { [K in keyof Values]?: Values[K] | undefined }

async function addTemplate(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId' | 'actor'>,
  added: Added,
  { document, begin }: { document: unknown; begin?(tx: Transaction): Promise<void> },
): Promise<EditedTemplate> {
  const now = ctx.clock.now()
  const id = newId('template', now)
  const { description = null, previewText = null, fromName = null, replyTo = null, type = 'MARKETING' } = added
  const values = valuesOf({ ...added, description, previewText, fromName, replyTo, type }, document)
  return ctx.db.transaction(async (tx) => {
    await begin?.(tx)
    const [template] = await tx.run(insertTemplate, [ctx.projectId, id, ...values, now])
    await saveVersion(ctx, tx, { id })
    // An insert without a conflict clause returns its row.
    return template as EditedTemplate
  })
}

/**
 * Deletes a template; emails sent with it stay, and campaigns keep what they have copied. Fails with TEMPLATE_NOT_FOUND, and with
 * TEMPLATE_IN_USE while a step of a workflow sends it, also of an earlier version that executions are on.
 */
export async function deleteTemplate({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<void> {
  const [live] = await db.run(findWorkflowSending, [projectId, id])
  if (live)
    throw new Failure('TEMPLATE_IN_USE', `The workflow "${live.name}" sends this template.`, {
      suggestion: 'Give its step another template, and wait until the executions that have begun are over.',
    })
  await db.transaction(async (tx) => {
    // Until then no campaign and no step can begin to refer to it.
    if ((await tx.run(lockTemplate, [projectId, id])).length === 0) throw notFound('TEMPLATE_NOT_FOUND')
    const [step] = await tx.run(selectStepsWith, [projectId, id])
    if (step) throw new Failure('TEMPLATE_IN_USE', `The step "${step.name}" of the workflow "${step.workflowName}" sends this template.`)
    await tx.run(detachCampaigns, [projectId, id])
    await tx.run(removeTemplate, [projectId, id])
  })
}

/** Copies a template under its name with ` (Copy)` added. Fails with TEMPLATE_NOT_FOUND. */
export async function duplicateTemplate(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId' | 'actor' | 'requestId' | 'takeRoom'>,
  { id }: { id: string },
): Promise<EditedTemplate> {
  const { document, ...source } = await getWrittenTemplate(ctx, { id })
  return addTemplate(ctx, { ...source, name: copyName(source.name, maxNameLength) }, { document })
}

const untitled = 'Untitled'
