import { isDeepStrictEqual } from 'node:util'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { copyName } from '../../kit/cut.ts'
import { Failure, invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { isReferenceViolation } from '../../kit/postgres/db.ts'
import { type IfUnchanged, requireUnchanged } from '../../kit/unchanged.ts'
import { requireSendingDomain } from '../domains/domains.ts'
import { unqueueRecipients } from '../emails/ledger/ledger.ts'
import { requireLiquid } from '../templates/check.ts'
import type { Template } from '../templates/shapes.ts'
import { getTemplate } from '../templates/templates.ts'
import { requireMeant } from './audience/target.ts'
import { getCampaign } from './campaigns.ts'
import { applyStep } from './run/sql.ts'
import { wakeRunner } from './run/wake.ts'
import { type Campaign, type CampaignChange, type CampaignCopy, type CampaignDraft, type Meant, maxNameLength } from './shapes.ts'
import { lockCampaign } from './sql.ts'

/**
 * Creates a campaign as a draft; what it does not say about its content is copied from its template. Fails with VALIDATION_ERROR, with
 * line and column, for Liquid that cannot be parsed, with DOMAIN_NOT_VERIFIED when `from` is not on a verified domain, and with
 * SEGMENT_NOT_FOUND and TEMPLATE_NOT_FOUND.
 */
export async function createCampaign(ctx: Ctx, draft: CampaignDraft): Promise<Campaign> {
  const whole = { ...(await contentOfTemplate(ctx, draft)), ...defined(draft) }
  const { subject, body, from } = whole
  if (subject === undefined || body === undefined || from === undefined)
    throw invalid('subject', 'is required without a template', 'required')
  await requireContent(ctx, whole)
  await requireMeant(ctx, draft)
  return insertCampaign(ctx, {
    ...whole,
    name: draft.name,
    audienceType: draft.audienceType,
    subject,
    body,
    from,
    ...audienceColumns(draft),
  })
}

/**
/**
 * Changes what is given of a campaign that is a draft or scheduled; while it is SENDING only `maxPerHour` may change. What it takes from
 * a template counts as given. A copy for a part of the recipients of another campaign stays one until its audience becomes another.
 * Fails like createCampaign, with RESOURCE_NOT_FOUND, with VALIDATION_ERROR for a segment or condition that does not belong to its
 * audience, and with CONFLICT in another state, and when it has changed since `ifUpdatedAt`.
 */
export async function updateCampaign(ctx: Ctx, { id, ifUpdatedAt, ...change }: CampaignChange & IfUnchanged): Promise<Campaign> {
  const before = await getCampaign(ctx, { id })
  requireUnchanged(before, { ifUpdatedAt })
  return changeCampaign(ctx, before, await takenFrom(ctx, change), { ifUpdatedAt })
}

/** Changes a campaign likewise; with all required fields it is replaced: optional ones that are left out become null. Fails like updateCampaign. */
export async function replaceCampaign(ctx: Ctx, { id, ...change }: CampaignChange): Promise<Campaign> {
  const before = await getCampaign(ctx, { id })
  const taken = await takenFrom(ctx, change)
  return changeCampaign(ctx, before, isWhole(taken) ? { ...emptied, ...taken } : taken)
}

type Given = Omit<CampaignChange, 'id'>

async function takenFrom(ctx: Ctx, change: Given): Promise<Given> {
  return { ...(await contentOfTemplate(ctx, change)), ...defined(change) }
}

async function changeCampaign(ctx: Ctx, before: Campaign, given: Given, { ifUpdatedAt }: IfUnchanged = {}): Promise<Campaign> {
  const { db, clock, projectId } = ctx
  const { id } = before
  await requireContent(ctx, given)
  const meant: Meant = { ...before, ...given }
  const isAboutAudience = audienceFields.some((name) => name in given)
  if (isAboutAudience) await requireMeant(ctx, meant, given)
  const isPaceOnly = Object.keys(given).every((name) => name === 'maxPerHour')
  const status = { in: ['DRAFT', 'SCHEDULED', ...(isPaceOnly ? ['SENDING' as const] : [])] as Campaign['status'][] }
  const now = clock.now()
  // Together, so that another change at the same time leaves no audience without what it needs.
  const audience = isAboutAudience && {
    ...{ audienceType: meant.audienceType, ...audienceColumns(meant) },
    ...(!isSameAudience(before, meant) && { sourceId: null, sourceOutcome: null }),
  }
  const data = { ...given, ...audience, updatedAt: now } as Prisma.CampaignUncheckedUpdateManyInput
  const where = { projectId, id, deletedAt: null, status, ...(ifUpdatedAt && { updatedAt: ifUpdatedAt }) }
  const { count } = await whileTemplateExists(db.prisma.campaign.updateMany({ where, data }))
  const after = await getCampaign(ctx, { id })
  if (count === 0) {
    requireUnchanged(after, { ifUpdatedAt })
    throw new Failure('CONFLICT', `A campaign that is ${after.status} cannot be changed.`, {
      suggestion: 'Duplicate it, and change the copy.',
    })
  }
  if (after.status === 'SENDING' && after.maxPerHour !== before.maxPerHour) await requeue(ctx, { id })
  return after
}

/**
 * Deletes a campaign; its emails and what is logged of it stay. Fails with RESOURCE_NOT_FOUND, and with CAMPAIGN_ACTIVE while it is
 * scheduled or being sent.
 */
export async function deleteCampaign(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { db, clock, projectId } = ctx
  const now = clock.now()
  const { count } = await db.prisma.campaign.updateMany({
    // One that is being cancelled may become a draft yet.
    where: {
      projectId,
      id,
      deletedAt: null,
      OR: [{ status: { in: ['DRAFT', 'SENT'] } }, { status: 'CANCELLED', OR: [{ stage: null }, { stage: 'CANCEL' }] }],
    },
    data: { deletedAt: now, wakeAt: now, updatedAt: now },
  })
  if (count > 0) return wakeRunner(ctx)
  const { status } = await getCampaign(ctx, { id })
  throw new Failure('CAMPAIGN_ACTIVE', `This campaign is ${status}.`)
}

/**
 * Copies a campaign as a draft under its name with ` (Copy)` added: for the same audience, or with `audience` for those of its
 * recipients who have not opened it, not clicked in it, or whom it did not reach; with its content, or that of a template. Fails with
 * RESOURCE_NOT_FOUND, TEMPLATE_NOT_FOUND, DOMAIN_NOT_VERIFIED for the sender of the template, and with CONFLICT for an `audience` of a
 * campaign that has no recipients yet.
 */
export async function duplicateCampaign(ctx: Ctx, { id, audience, templateId }: CampaignCopy): Promise<Campaign> {
  const source = await getCampaign(ctx, { id })
  if (audience && ['DRAFT', 'SCHEDULED'].includes(source.status))
    throw new Failure('CONFLICT', 'This campaign was not sent: it has no recipients yet.', { suggestion: 'Leave out "audience".' })
  const chosen = templateId === undefined ? source : { ...(await contentOfTemplate(ctx, { templateId })), templateId }
  if (templateId !== undefined) await requireContent(ctx, { from: chosen.from })
  const { subject, previewText, body, from, fromName, replyTo, type } = { ...source, ...chosen }
  const { name, description, audienceType, maxPerHour } = source
  return insertCampaign(ctx, {
    ...{ description, subject, previewText, body, from, fromName, replyTo, type, audienceType, maxPerHour },
    ...audienceColumns(source),
    templateId: chosen.templateId,
    name: copyName(name, maxNameLength),
    sourceId: audience ? id : source.sourceCampaignId,
    sourceOutcome: audience ?? source.sourceOutcome,
  })
}

type Row = Omit<Prisma.CampaignUncheckedCreateInput, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>

async function insertCampaign(ctx: Ctx, row: Row): Promise<Campaign> {
  const { db, clock, projectId } = ctx
  const now = clock.now()
  const id = newId('campaign', now)
  const data = { ...row, projectId, id, createdAt: now, updatedAt: now }
  await whileTemplateExists(db.prisma.campaign.create({ data, select: { id: true } }))
  return getCampaign(ctx, { id })
}

// It may have been deleted since it was read.
async function whileTemplateExists<Written>(written: Promise<Written>): Promise<Written> {
  return written.catch((error: unknown) => {
    throw isReferenceViolation(error) ? notFound('TEMPLATE_NOT_FOUND') : error
  })
}

type Copied = Pick<Template, 'subject' | 'previewText' | 'body' | 'from' | 'fromName' | 'replyTo' | 'type'>

async function contentOfTemplate(ctx: Ctx, { templateId }: { templateId?: string | null | undefined }): Promise<Partial<Copied>> {
  if (templateId == null) return {}
  const { subject, previewText, body, from, fromName, replyTo, type } = await getTemplate(ctx, { id: templateId })
  return { subject, previewText, body, from, fromName, replyTo, type }
}

// Under another rate what waits in the queue goes back to the ledger, to leave at that rate.
async function requeue(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { db, clock, projectId } = ctx
  await db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, projectId, id)
    if (locked?.status !== 'SENDING') return
    const now = clock.now()
    const queuedUpTo = await unqueueRecipients(tx, { projectId, campaignId: id })
    const step = { paceWaiting: 0, ...(queuedUpTo !== null && { queuedUpTo }), ...(!locked.paused && { wakeAt: now }) }
    await tx.run(applyStep, [projectId, id, now, JSON.stringify(step)])
  })
  wakeRunner(ctx)
}

const requiredFields = ['name', 'subject', 'body', 'from', 'audienceType'] as const
const emptied = {
  description: null,
  previewText: null,
  fromName: null,
  replyTo: null,
  type: 'MARKETING',
  templateId: null,
  segmentId: null,
  audienceFilter: null,
  maxPerHour: null,
} as const

function isWhole(change: Given): boolean {
  return requiredFields.every((name) => change[name] !== undefined)
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}

async function requireContent(
  ctx: Ctx,
  content: { from?: string | undefined; subject?: string | undefined; body?: string | undefined; previewText?: string | null | undefined },
): Promise<void> {
  await requireLiquid(ctx, content)
  if (content.from !== undefined) await requireSendingDomain(ctx, content.from)
}

const audienceFields = ['audienceType', 'segmentId', 'audienceFilter'] as const

function isSameAudience(one: Meant, other: Meant): boolean {
  return one.audienceType === other.audienceType && isDeepStrictEqual(audienceColumns(one), audienceColumns(other))
}

// Only what the audience uses is stored.
function audienceColumns({ audienceType, segmentId, audienceFilter }: Meant) {
  return {
    segmentId: audienceType === 'SEGMENT' ? (segmentId ?? null) : null,
    audienceFilter: audienceType === 'FILTERED' ? (audienceFilter as Prisma.InputJsonValue) : Prisma.DbNull,
  }
}
