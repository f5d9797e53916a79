import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { loader } from '../../kit/load.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { type IfUnchanged, requireUnchanged } from '../../kit/unchanged.ts'
import { countMatches } from '../filters/filters.ts'
import { segmentsOf } from '../filters/language.ts'
import { membershipIn } from '../filters/membership.ts'
import { requireReferences, requireRoomInOthers } from '../filters/references.ts'
import { chosenAt } from '../filters/removals/removals.ts'
import { isSameCondition } from '../filters/removals/same.ts'
import { holdSegments, lockReferences } from '../filters/segments/needed.ts'
import type { Condition } from '../filters/shapes.ts'
import { kinds } from './kinds.ts'
import { freeSlug, slugOf } from './members/log.ts'
import { nameSegments } from './members/names.ts'
import { eraseMembersQueue, type Segment, type SegmentChange, type SegmentDraft } from './shapes.ts'
import {
  changeSegment,
  countSegments,
  findCampaignOf,
  findWorkflowOf,
  findWorkflowsByEvent,
  insertSegment,
  lockToDelete,
  removeSegment,
  selectLeading,
} from './sql.ts'

/** Maximum number of segments per project. */
export const maxSegments = 500
/** Maximum number of bytes that the conditions of a project's segments have together, as JSON: all of them are one answer. */
export const maxConditionBytes = 4 * 1024 * 1024
/** How often the members of a tracked segment are computed, and the count of another is refreshed at most. */
export const everyMs = 5 * 60_000

/** The columns of a segment that are shown. */
export const segmentColumns = {
  id: true,
  name: true,
  description: true,
  type: true,
  condition: true,
  trackMembership: true,
  memberCount: true,
  createdAt: true,
  updatedAt: true,
} as const

type Call = Pick<Ctx, 'db' | 'projectId'>

/** One segment. Fails with RESOURCE_NOT_FOUND. */
export async function getSegment({ db, projectId }: Call, { id }: { id: string }): Promise<Segment> {
  const row = await db.prisma.segment.findUnique({ where: { projectId_id: { projectId, id } }, select: segmentColumns })
  if (!row) throw notFound()
  return shown(row)
}

/** One segment, or null when there is none; parallel lookups are read in one statement. */
export const findSegment = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.segment.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

/** A segment as it is stored. Only conditions that were checked are, which the type of the column does not say. */
export function shown(row: Omit<Segment, 'condition'> & { condition: unknown }): Segment {
  return { ...row, condition: row.condition as Condition | null }
}

/**
 * Creates a segment and counts its members. Fails with VALIDATION_ERROR for a dynamic segment without a condition, a static one
 * with one, and references to segments that do not exist; with LIMIT_REACHED when the project has 500 segments, or their conditions
 * more than 4 MB together, and SERVICE_UNAVAILABLE when counting takes longer than 15 s.
 */
export async function createSegment(ctx: Ctx, draft: SegmentDraft): Promise<Segment> {
  const { name, description = null, type = 'DYNAMIC', condition, trackMembership = false } = draft
  if (kinds[type].hasCondition && !condition) throw invalid('condition', 'is required for a dynamic segment', 'required')
  if (!kinds[type].hasCondition && condition) throw conditionOfStatic()
  const { db, clock, projectId } = ctx
  const stored = condition ? JSON.stringify(condition) : null
  await requireRoom(ctx, { stored })
  if (condition) await requireReferences(db, projectId, { condition })
  const chosen = condition ? await chosenAt(db, projectId, { conditions: [condition], now: clock.now() }) : null
  const memberCount = condition ? await countMatches(ctx, { condition, membership: membershipIn(ctx) }) : 0
  const now = clock.now()
  const dueAt = trackMembership ? now : new Date(now.getTime() + everyMs)
  const id = newId('segment', now)
  return db.transaction(async (tx) => {
    await lockReferences(tx, projectId)
    // Again under the lock: other calls may have added and deleted segments in between.
    await requireRoom({ db: tx, projectId }, { stored })
    if (condition) await requireReferences(tx, projectId, { condition })
    const slug = freeSlug({ id, name }, await nameSegments(tx, projectId))
    const values = [projectId, id, name, description, type, stored, trackMembership, memberCount, dueAt, now, chosen, slug]
    return one(await tx.run(insertSegment, values))
  })
}

interface Addition {
  /** The segment that has the condition already; none for a new one. */
  id?: string
  /** The condition as it is stored. */
  stored: string | null
}

async function requireRoom({ db, projectId }: { db: Pick<Ctx['db'], 'run'>; projectId: string }, { id, stored }: Addition): Promise<void> {
  const [existing] = await db.run(countSegments, [projectId, id ?? null])
  const { count, bytes, own } = existing ?? { count: 0, bytes: 0, own: 0 }
  if (id === undefined && count >= maxSegments)
    throw new Failure('LIMIT_REACHED', `This project has ${maxSegments} segments, which is the maximum.`)
  const grownBy = (stored === null ? 0 : Buffer.byteLength(stored)) - own
  // A project that had more before the limit may still make its conditions shorter.
  if (stored === null || grownBy <= 0 || bytes + grownBy <= maxConditionBytes) return
  throw new Failure(
    'LIMIT_REACHED',
    `The conditions of this project's segments would have more than ${maxConditionBytes / 1024 / 1024} MB together as JSON.`,
    {
      suggestion:
        'Delete segments that are no longer used, or make long lists of values shorter: a static segment has a list of contacts without one.',
    },
  )
}

/**
 * Changes a segment; fields that are left out stay, null empties the description. Another condition is counted at once. Fails
 * like createSegment, with VALIDATION_ERROR also for a condition that leads back to the segment, gives one that refers to it more
 * than 1,000 filters, or leads to a segment that was deleted while an enabled workflow or a campaign needs this one, with
 * RESOURCE_NOT_FOUND, with CONFLICT when it has changed since `ifUpdatedAt`, and with SEGMENT_IN_USE for another name, from which its events
 * have theirs, and for tracking that ends, while an enabled workflow, or an execution under way, names one of its events.
 */
export async function updateSegment(ctx: Ctx, { id, ifUpdatedAt, ...change }: SegmentChange & IfUnchanged): Promise<Segment> {
  const { db, clock, projectId } = ctx
  const { name = null, description, condition, trackMembership = null } = change
  const segment = await getSegment(ctx, { id })
  requireUnchanged(segment, { ifUpdatedAt })
  if (condition && !kinds[segment.type].hasCondition) throw conditionOfStatic()
  if (condition) await requireReferences(db, projectId, { condition, self: id })
  const isAnother = condition !== undefined && !isSame(segment, condition)
  const chosen = isAnother ? await chosenAt(db, projectId, { conditions: [condition], now: clock.now() }) : null
  const memberCount = condition ? await countMatches(ctx, { condition, membership: membershipIn(ctx) }) : null
  const stored = condition ? JSON.stringify(condition) : null
  const values = [
    name,
    description !== undefined,
    description ?? null,
    stored,
    trackMembership,
    memberCount,
    clock.now(),
    ifUpdatedAt ?? null,
    chosen,
  ]
  const [changed] = await db.transaction(async (tx) => {
    if (condition || name !== null || trackMembership === false) await lockReferences(tx, projectId)
    if (condition) {
      await requireReferences(tx, projectId, { condition, self: id })
      await requireRoom({ db: tx, projectId }, { id, stored })
      await requireRoomInOthers(tx, projectId, { condition, self: id })
      await requireNoneDeleted(tx, projectId, { condition, self: id })
    }
    return tx.run(changeSegment, [projectId, id, ...values, await renamed(tx, projectId, { id, name, trackMembership })])
  })
  if (changed) return changed
  const unchanged = await getSegment(ctx, { id })
  requireUnchanged(unchanged, { ifUpdatedAt })
  return unchanged
}

// The slug of a segment that is given a name; null where its events keep theirs.
async function renamed(
  tx: Transaction,
  projectId: string,
  { id, name, trackMembership }: { id: string; name: string | null; trackMembership: boolean | null },
): Promise<string | null> {
  if (name === null && trackMembership !== false) return null
  const segments = await nameSegments(tx, projectId)
  const before = segments.find((segment) => segment.id === id)
  if (!before) return null
  const others = segments.filter((segment) => segment !== before)
  const slug = name === null || slugOf({ id, name }) === slugOf(before) ? before.slug : freeSlug({ id, name }, others)
  const ends = trackMembership === false && before.tracked
  if (slug !== before.slug || ends) await requireUnheard(tx, projectId, id)
  return slug
}

// A workflow that waits for an event which nothing logs any more would stop without a word.
async function requireUnheard(tx: Transaction, projectId: string, id: string): Promise<void> {
  const [workflow] = await tx.run(findWorkflowsByEvent, [projectId, [id]])
  if (workflow?.enabled)
    throw new Failure('SEGMENT_IN_USE', `The workflow "${workflow.name}", which is enabled, is about who enters or leaves this segment.`, {
      suggestion: 'Disable it, or let it name another event.',
    })
  if (workflow?.underWay)
    throw new Failure(
      'SEGMENT_IN_USE',
      `Executions of the workflow "${workflow.name}" are under way that go on, or end, when somebody enters or leaves this segment.`,
      { suggestion: 'Wait until they are over, or cancel them.' },
    )
}

const isSame = ({ condition }: Pick<Segment, 'condition'>, other: Condition): boolean =>
  condition !== null && isSameCondition(condition, other)

// Nobody is a member of a segment that was deleted, so that what is left of a condition may match everybody.
async function requireNoneDeleted(tx: Transaction, projectId: string, { condition, self }: { condition: Condition; self: string }) {
  const missing = await holdSegments(tx, projectId, segmentsOf(condition))
  if (missing.size === 0) return
  const leading = await leadingTo(tx, projectId, self)
  const [user] = [...(await tx.run(findCampaignOf, [projectId, leading])), ...(await tx.run(findWorkflowOf, [projectId, leading]))]
  if (!user) return
  throw invalid(
    'condition',
    `refers to a segment that leads to one that was deleted, while "${user.name}" needs this one`,
    'unknown_segment',
  )
}

function conditionOfStatic(): Failure {
  return invalid('condition', 'must be left out: the members of a static segment are those that were added', 'not_allowed')
}

function one([segment]: Segment[]): Segment {
  if (!segment) throw notFound()
  return segment
}

/**
 * Deletes a segment. Its members are not logged as leaving; conditions that refer to it match nobody there. Fails with
 * RESOURCE_NOT_FOUND, and with SEGMENT_IN_USE while a campaign for it is scheduled or being sent, or an enabled workflow or an execution
 * that has not ended asks for it, also through the conditions of other segments, or names one of its events.
 */
export async function deleteSegment(
  { db, jobs, projectId }: Pick<Ctx, 'db' | 'jobs' | 'projectId'>,
  { id }: { id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockReferences(tx, projectId)
    if ((await tx.run(lockToDelete, [projectId, id])).length === 0) throw notFound()
    await requireUnused(tx, projectId, [id], '')
    await requireUnused(tx, projectId, await leadingTo(tx, projectId, id), ', through another segment')
    await nameSegments(tx, projectId)
    await requireUnheard(tx, projectId, id)
    await tx.run(removeSegment, [projectId, id])
    await jobs.enqueue(eraseMembersQueue, { projectId, segmentId: id }, tx)
  })
}

async function leadingTo(tx: Transaction, projectId: string, id: string): Promise<string[]> {
  return (await tx.run(selectLeading, [projectId, id])).map((one) => one.id)
}

async function requireUnused(tx: Transaction, projectId: string, ids: string[], how: string): Promise<void> {
  const [campaign] = await tx.run(findCampaignOf, [projectId, ids])
  if (campaign)
    throw new Failure('SEGMENT_IN_USE', `The campaign "${campaign.name}", which is scheduled or being sent, is for this segment${how}.`)
  const [workflow] = await tx.run(findWorkflowOf, [projectId, ids])
  if (!workflow) return
  const { name, enabled } = workflow
  if (enabled)
    throw new Failure('SEGMENT_IN_USE', `The workflow "${name}", which is enabled, asks who is in this segment${how}.`, {
      suggestion: 'Disable it, or change its condition.',
    })
  throw new Failure('SEGMENT_IN_USE', `Executions of the workflow "${name}" are under way that ask who is in this segment${how}.`, {
    suggestion: 'Wait until they are over, or cancel them.',
  })
}
