import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { copyName } from '../../kit/cut.ts'
import { Failure, invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { isReferenceViolation, type Transaction } from '../../kit/postgres/db.ts'
import { type IfUnchanged, requireUnchanged } from '../../kit/unchanged.ts'
import { holdSendingDomain } from '../domains/domains.ts'
import { isSameCondition } from '../filters/removals/same.ts'
import { lockReferences } from '../filters/segments/needed.ts'
import type { Condition } from '../filters/shapes.ts'
import { meantSince } from './audience/audience.ts'
import type { Meant } from './audience/shapes.ts'
import { holdAudience, requireMeant } from './audience/target.ts'
import { getCampaign, getStoredCampaign, getWrittenCampaign } from './campaigns.ts'
import { type Copied, contentOfTemplate, madeOf, requireContent, type Writing, writtenColumns, writtenOf } from './content.ts'
import { wakeRunner } from './run/wake.ts'
import { setPace } from './sending/pace.ts'
import { untilNoneIsSent } from './sending/stop.ts'
import {
  type Campaign,
  type CampaignChange,
  type CampaignCopy,
  type CampaignPatch,
  type EditedCampaign,
  maxNameLength,
  type WrittenCampaignDraft,
} from './shapes.ts'
import { type CampaignWriting, lockCampaign, selectAudience, selectNeeded, writeCampaign } from './sql.ts'

/**
 * Creates a campaign as a draft; what it does not say about its content is copied from its template. Fails with VALIDATION_ERROR, with
 * line and column, for Liquid that cannot be parsed, with DOMAIN_NOT_VERIFIED when `from` is not on a verified domain, and with
 * SEGMENT_NOT_FOUND and TEMPLATE_NOT_FOUND.
 */
export async function createCampaign(ctx: Ctx, draft: WrittenCampaignDraft): Promise<EditedCampaign> {
  const { fields, writing, copied } = await takenFrom(ctx, draft)
  const written = writtenOf(writing, { copied })
  const { subject, from } = fields
  if (subject === undefined || written?.body === undefined || from === undefined)
    throw invalid('subject', 'is required without a template', 'required')
  await requireContent(ctx, { ...fields, body: written.body })
  await requireMeant(ctx, draft)
  return insertCampaign(ctx, {
    audienceAt: await meantSince(ctx, draft),
    ...fields,
    ...writtenColumns(written),
    name: draft.name,
    audienceType: draft.audienceType,
    subject,
    body: written.body,
    from,
    ...audienceColumns(draft),
  })
}

/**
 * Changes what is given of a campaign that is a draft or scheduled; while it is SENDING only `maxPerHour` may change, which holds from
 * the answer on: a lower one waits for what is being handed over, up to 10 s. What it takes from a template counts as given. Another
 * body, or the mode HTML, makes a visual campaign one of HTML. A copy for a part of the recipients of another campaign stays one until
 * its audience becomes another. Fails like createCampaign, with RESOURCE_NOT_FOUND, with VALIDATION_ERROR for a segment or condition that does not belong to its audience, and with CONFLICT in another
 * state, and when it has changed since `ifUpdatedAt`.
 */
export async function updateCampaign(ctx: Ctx, { id, ifUpdatedAt, ...change }: CampaignPatch & IfUnchanged): Promise<EditedCampaign> {
  const before = await getCampaign(ctx, { id })
  requireUnchanged(before, { ifUpdatedAt })
  return changeCampaign(ctx, before, await takenFrom(ctx, change), { ifUpdatedAt })
}

/** Changes a campaign likewise; with all required fields it is replaced: optional ones that are left out become null. Fails like updateCampaign. */
export async function replaceCampaign(ctx: Ctx, { id, ...change }: CampaignChange): Promise<EditedCampaign> {
  const before = await getCampaign(ctx, { id })
  const taken = await takenFrom(ctx, change)
  return changeCampaign(ctx, before, isWhole(taken) ? { ...taken, fields: { ...emptied, ...taken.fields } } : taken)
}

type Fields = Omit<CampaignPatch, 'id' | keyof Writing>

/** What is given of a campaign, and what it takes from a template. */
interface Taken {
  fields: Fields
  writing: Writing
  copied: Copied | undefined
}

async function takenFrom(ctx: Ctx, { body, document, mode, ...given }: Fields & Writing): Promise<Taken> {
  const copied = await contentOfTemplate(ctx, given)
  const { body: _body, document: _document, mode: _mode, ...fields } = copied ?? {}
  return {
    fields: { ...fields, ...defined(given) },
    writing: defined({ body, document, mode, made: document && madeOf(ctx, document) }),
    copied,
  }
}

async function changeCampaign(ctx: Ctx, before: EditedCampaign, taken: Taken, { ifUpdatedAt }: IfUnchanged = {}): Promise<EditedCampaign> {
  const { db, clock, projectId } = ctx
  const { id } = before
  const { fields, writing, copied } = taken
  const asRead = writtenOf(writing, { before: { mode: before.mode, sameBody: writing.body === before.body }, copied })
  await requireContent(ctx, { ...fields, body: asRead?.body })
  const audience = await audienceOf(ctx, before, fields)
  const isPaceOnly = Object.keys({ ...fields, ...writing }).every((name) => name === 'maxPerHour')
  const given = { ...fields, ...audience }
  const since = given.audienceType === undefined ? null : await meantSince(ctx, { ...before, ...given })
  const changing = db.transaction(async (tx) => {
    if (given.audienceType !== undefined) await lockReferences(tx, projectId)
    const locked = await lockCampaign(tx, { projectId, id, body: writing.body })
    if (!locked) throw notFound()
    requireUnchanged(locked, { ifUpdatedAt })
    requireChangeable(locked, { isPaceOnly })
    // Its body may have become another one since it was read above; the one that it had then was checked when it was written.
    const written = writtenOf(writing, { before: locked, copied })
    // Another change may have chosen another audience meanwhile.
    const chosen = await chosenNow(tx, projectId, { id, since, ...given })
    const change = { ...given, ...chosen, ...(written && writtenColumns(written)) } satisfies CampaignWriting
    await tx.run(writeCampaign, [projectId, id, clock.now(), Object.keys(change), Object.values(change).map(textOf)])
    if (locked.status === 'SCHEDULED') await holdNeeded(tx, projectId, given)
    return locked.status === 'SENDING' ? setPace(tx, ctx, { id, locked, ...fields }) : undefined
  })
  const pace = await whileTemplateExists(changing)
  if (pace === 'LOWERED') await untilNoneIsSent(ctx, id)
  if (pace) wakeRunner(ctx)
  return getCampaign(ctx, { id })
}

function requireChangeable({ status }: Pick<Campaign, 'status'>, { isPaceOnly }: { isPaceOnly: boolean }): void {
  if (status === 'DRAFT' || status === 'SCHEDULED' || (status === 'SENDING' && isPaceOnly)) return
  throw new Failure('CONFLICT', `A campaign that is ${status} cannot be changed.`, { suggestion: 'Duplicate it, and change the copy.' })
}

// What it comes to need is not deleted meanwhile; what it has needed since it was scheduled cannot be.
async function holdNeeded(tx: Transaction, projectId: string, { from, audienceType, ...audience }: Partial<Meant> & { from?: string }) {
  if (from !== undefined) await holdSendingDomain(tx, projectId, from)
  if (audienceType !== undefined) await holdAudience(tx, projectId, { audienceType, ...audience })
}

function textOf(value: unknown): string | null {
  if (value === null || value === Prisma.DbNull) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// What changes of who it is sent to: together, so that another change at the same time leaves no audience without what it needs.
async function audienceOf(ctx: Ctx, before: EditedCampaign, fields: Fields) {
  if (!audienceFields.some((name) => name in fields)) return {}
  const meant: Meant = { ...before, ...fields }
  await requireMeant(ctx, meant, fields)
  return {
    ...{ audienceType: meant.audienceType, ...audienceColumns(meant) },
  }
}

// The same again says nothing new: it may be saved for the sake of something else.
async function chosenNow(
  tx: Transaction,
  projectId: string,
  { id, since, ...given }: { id: string; since: Date | null } & Partial<Meant>,
): Promise<Pick<CampaignWriting, 'sourceId' | 'sourceOutcome' | 'audienceAt'>> {
  const [stored] = since === null ? [] : await tx.run(selectAudience, [projectId, id])
  if (!stored || since === null || isSameAudience(stored, { ...stored, ...given })) return {}
  return { sourceId: null, sourceOutcome: null, audienceAt: since.toISOString() }
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
export async function duplicateCampaign(ctx: Ctx, { id, audience, templateId }: CampaignCopy): Promise<EditedCampaign> {
  // What its condition asks may have been deleted since it was chosen. Before the audience is read: that may be another one a moment later.
  const [chosen] = await ctx.db.run(selectNeeded, [ctx.projectId, id])
  const whole = templateId == null ? await getWrittenCampaign(ctx, { id }) : undefined
  const source = whole ?? (await getStoredCampaign(ctx, { id }))
  if (audience && ['DRAFT', 'SCHEDULED'].includes(source.status))
    throw new Failure('CONFLICT', 'This campaign was not sent: it has no recipients yet.', { suggestion: 'Leave out "audience".' })
  const copied = await contentOfTemplate(ctx, { templateId })
  if (copied) await requireContent(ctx, { from: copied.from })
  const written = copied ?? whole
  if (!written) throw notFound()
  const { body, mode, document } = written
  const { subject, previewText, from, fromName, replyTo, type } = { ...source, ...copied }
  const { name, description, audienceType, maxPerHour } = source
  return insertCampaign(ctx, {
    ...{ description, subject, previewText, body, from, fromName, replyTo, type, audienceType, maxPerHour },
    ...writtenColumns({ mode, document }),
    ...audienceColumns(source),
    templateId: templateId ?? source.templateId,
    name: copyName(name, maxNameLength),
    sourceId: audience ? id : source.sourceId,
    sourceOutcome: audience ?? source.sourceOutcome,
    ...(chosen && { audienceAt: chosen.since }),
  })
}

type Row = Omit<Prisma.CampaignUncheckedCreateInput, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>

async function insertCampaign(ctx: Ctx, row: Row): Promise<EditedCampaign> {
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

const requiredFields = ['name', 'subject', 'from', 'audienceType'] as const
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

function isWhole({ fields, writing, copied }: Taken): boolean {
  return requiredFields.every((name) => fields[name] !== undefined) && (writing.body ?? copied?.body) !== undefined
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>
}

const audienceFields = ['audienceType', 'segmentId', 'audienceFilter'] as const

function isSameAudience(one: Meant, other: Meant): boolean {
  if (one.audienceType !== other.audienceType) return false
  if (one.audienceType !== 'FILTERED') return one.segmentId === other.segmentId || one.audienceType === 'ALL'
  return isSameCondition(one.audienceFilter as Condition, other.audienceFilter as Condition)
}

// Only what the audience uses is stored.
function audienceColumns({ audienceType, segmentId, audienceFilter }: Meant) {
  return {
    segmentId: audienceType === 'SEGMENT' ? (segmentId ?? null) : null,
    audienceFilter: audienceType === 'FILTERED' ? (audienceFilter as Prisma.InputJsonValue) : Prisma.DbNull,
  }
}
