import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { requireSendingDomain } from '../domains/domains.ts'
import { requireLiquid } from '../templates/check.ts'
import type { ContentMode, StoredTemplate } from '../templates/shapes.ts'
import { getWrittenTemplate } from '../templates/templates.ts'
import { bodyOfDocument, requireMode } from '../templates/visual/document.ts'
import type { VisualDocument } from '../templates/visual/shapes.ts'
import type { WrittenBody } from '../templates/visual/written.ts'
import type { CampaignPatch } from './shapes.ts'

/** What a campaign takes from a template. */
export type Copied = Pick<StoredTemplate, 'subject' | 'previewText' | 'from' | 'fromName' | 'replyTo' | 'type'> & WrittenBody

/** The content of the template that a campaign names; undefined when it names none. Fails with TEMPLATE_NOT_FOUND. */
export async function contentOfTemplate(ctx: Ctx, { templateId }: { templateId?: string | null | undefined }): Promise<Copied | undefined> {
  if (templateId == null) return undefined
  const { subject, previewText, body, mode, document, from, fromName, replyTo, type } = await getWrittenTemplate(ctx, { id: templateId })
  return { subject, previewText, body, mode, document, from, fromName, replyTo, type }
}

/** What a call says about what a campaign is written in, and what becomes of its document. */
export type Writing = Pick<CampaignPatch, 'body' | 'document' | 'mode'> & { made?: Written }

/** Another body, with the document that it is made of; of `mode` alone the body stays. */
export type Written = Omit<WrittenBody, 'body'> & { body?: string }

interface Sources {
  /** The campaign that is changed: what it is written in, and whether the body that is given, if any, is the one it has. */
  before?: { mode: ContentMode; sameBody: boolean | null }
  copied: Copied | undefined
}

/**
 * What a campaign is written in then; undefined when that stays: another body makes it HTML, the same one leaves its document. Fails with
 * VALIDATION_ERROR for a document of a campaign of HTML.
 */
export function writtenOf(writing: Writing, { before, copied }: Sources): Written | undefined {
  const written = writing.made ?? ofBody(writing, { before, copied })
  if (!before) return written
  const isVisual = writing.document ? before.mode === 'VISUAL' || copied?.mode === 'VISUAL' : (written ?? before).mode === 'VISUAL'
  requireMode({ mode: isVisual ? 'VISUAL' : 'HTML' }, writing, asCampaign)
  return written
}

/** What a campaign is written in with a document. Fails with VALIDATION_ERROR like bodyOfDocument. */
export function madeOf(ctx: Ctx, document: VisualDocument): Written {
  return { body: bodyOfDocument(ctx, document), mode: 'VISUAL', document }
}

function ofBody({ body, mode }: Writing, { before, copied }: Sources): Written | undefined {
  const isOther = body !== undefined && !before?.sameBody
  const written = isOther && body !== copied?.body ? { body, ...asHtml } : isOther || body === undefined ? copied : undefined
  return mode === 'HTML' ? { ...(written && { body: written.body }), ...asHtml } : written
}

const asHtml = { mode: 'HTML', document: null } as const
const asCampaign = { what: 'campaign', suggestion: 'Create a visual campaign, or take the content of a visual template.' }

/** What is written as the columns of a campaign. */
export function writtenColumns({ body, mode, document }: Written) {
  // A document is JSON, which its type does not say.
  return { ...(body !== undefined && { body }), mode, document: document ? (document as unknown as Prisma.InputJsonValue) : Prisma.DbNull }
}

interface Checked {
  from?: string | undefined
  subject?: string | undefined
  body?: string | undefined
  previewText?: string | null | undefined
}

/** Fails with VALIDATION_ERROR for Liquid that cannot be parsed, and with DOMAIN_NOT_VERIFIED for the sender. */
export async function requireContent(ctx: Ctx, content: Checked): Promise<void> {
  await requireLiquid(ctx, content)
  if (content.from !== undefined) await requireSendingDomain(ctx, content.from)
}
