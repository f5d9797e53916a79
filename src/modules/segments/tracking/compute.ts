import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { letReadersKeepUp } from '../../events/reader/keep-up.ts'
import { type MatchingAmong, prepareMatching, scanMatches } from '../../filters/filters.ts'
import { type LookedUp, lookUpOnce } from '../../filters/membership.ts'
import { type Chosen, isRemoved, wideningOf } from '../../filters/removals/removals.ts'
import type { Condition } from '../../filters/shapes.ts'
import { conditionOf } from '../kinds.ts'
import { logMoves } from '../members/log.ts'
import { deleteMembers, insertMembers } from '../members/sql.ts'
import { getSegment } from '../segments.ts'
import type { Computed } from '../shapes.ts'
import { changesOfMembers, claimSegment, countMembers, endClaim, renewClaim, storeMemberCount } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'notices' | 'projectId'>

/** A computation that has claimed its segment. */
interface Computation {
  segmentId: string
  claim: string
  condition: Condition
  /** When that was chosen. */
  since: Date
}

// Longer than the diff may take, and than a batch.
const claimSeconds = 60
const perBatch = 1_000
// What one diff returns is held in memory; the next one finds the rest.
const maxPerDiff = 50_000

/**
 * Computes the members of a tracked segment: stores who entered and removes who left, and logs both, in batches of 1,000 that each
 * commit with their lines. What is written depends only on what is stored, so it is safe to run again after a crash; a segment is
 * computed by one call at a time. A contact that was deleted leaves without a line. Where the condition leads to a segment that was deleted,
 * or would match more contacts because a field or an event was, its members stay as they are. Fails with RESOURCE_NOT_FOUND, with CONFLICT when the segment is not tracked or is being computed or
 * changed, or one that it leads to is changed or deleted meanwhile, and with SERVICE_UNAVAILABLE when its condition takes longer than 15 s.
 */
export async function computeSegment(ctx: Call, { id }: { id: string }): Promise<Computed> {
  const segment = await getSegment(ctx, { id })
  if (!segment.trackMembership)
    throw new Failure('CONFLICT', 'The members of this segment are not tracked.', { suggestion: 'Set trackMembership to true first.' })
  if (!conditionOf(segment)) return { added: 0, removed: 0, total: segment.memberCount }
  const computed = await computeMembers(ctx, id)
  if (computed) return { added: computed.added, removed: computed.removed, total: computed.total }
  throw new Failure('CONFLICT', 'This segment, or one that it leads to, is being computed or changed at the moment.', {
    suggestion: 'Try again in a moment.',
  })
}

/** What was changed, and whether more is left to change. */
export interface ComputedSoFar extends Computed {
  isPartial: boolean
}

/**
 * The same for a worker, which leaves the rest to its next turn after so many changes: null when another computation has claimed the
 * segment, or it was changed, deleted or is not tracked any more.
 */
export async function computeMembers(ctx: Call, segmentId: string, maxChanges = Number.POSITIVE_INFINITY): Promise<ComputedSoFar | null> {
  const { db, clock, projectId } = ctx
  const claim = newId('claim', clock.now())
  const [claimed] = await db.run(claimSegment, [projectId, segmentId, claim, claimSeconds, clock.aheadMs])
  if (!claimed) return null
  const computation = { segmentId, claim, ...claimed }
  try {
    return await compute(ctx, computation, maxChanges)
  } finally {
    await db.run(endClaim, [projectId, segmentId, claim])
  }
}

async function compute(ctx: Call, computation: Computation, maxChanges: number): Promise<ComputedSoFar | null> {
  const sum = { added: 0, removed: 0 }
  const perDiff = Math.min(maxPerDiff, maxChanges)
  let more = true
  for (let done = 0; more && done < maxChanges; done += perDiff) {
    const { condition, since } = computation
    const segments = await lookUpOnce(ctx, condition)
    const asked = wideningOf(condition, since, segments.found)
    // Nobody is a member of a segment that was deleted, and nobody has a field that was: what is left of the condition may match everybody.
    more = !segments.dangling && !(await isRemoved(ctx.db, ctx.projectId, asked))
    if (!more) break
    const question = { condition, membership: segments.membership }
    const among = await prepareMatching(ctx, question)
    const changes = await scanMatches(ctx, question, (matching, bind) =>
      changesOfMembers(matching, bind(computation.segmentId), bind(perDiff)),
    )
    for (let at = 0; at < changes.length; at += perBatch) {
      const moved = await applyBatch(ctx, { ...computation, among, segments, asked }, changes.slice(at, at + perBatch))
      if (!moved) return null
      sum.added += moved.added
      sum.removed += moved.removed
      await letReadersKeepUp(ctx.world)
    }
    more = changes.length === perDiff
  }
  const total = await storeTotal(ctx, computation)
  return total === null ? null : { ...sum, total, isPartial: more }
}

/** How a batch is asked whether it matches, and what must not have been removed then. */
interface Asking {
  among: MatchingAmong
  segments: LookedUp
  asked: Chosen[]
}

async function applyBatch(
  ctx: Call,
  { among, segments, asked, ...computation }: Computation & Asking,
  changes: { id: string; enters: boolean }[],
): Promise<{ added: number; removed: number } | null> {
  const { projectId, clock } = ctx
  const { segmentId: id } = computation
  return ctx.db.transaction(async (tx) => {
    const segment = (await segments.hold(tx)) && (await stillClaimed(ctx, tx, computation))
    if (!segment) return null
    // They may have been changed since they were found: who does not match any more has not entered.
    const matching = await among(
      tx,
      changes.map((change) => change.id),
    )
    if (await isRemoved(tx, projectId, asked)) return null
    const idsWhere = (enters: boolean) => changes.flatMap((one) => (one.enters === enters && matching.has(one.id) === enters ? one.id : []))
    const entered = await tx.run(insertMembers, [projectId, id, idsWhere(true), clock.now()])
    const left = await tx.run(deleteMembers, [projectId, id, idsWhere(false)])
    const existing = left.filter(({ exists }) => exists)
    const moves = { projectId, segment: { id, ...segment } }
    await logMoves(ctx, tx, { ...moves, kind: 'exit', contactIds: existing.map(({ contactId }) => contactId) })
    await logMoves(ctx, tx, { ...moves, kind: 'entry', contactIds: entered.map(({ contactId }) => contactId) })
    return { added: entered.length, removed: existing.length }
  })
}

async function storeTotal(ctx: Call, computation: Computation): Promise<number | null> {
  const { segmentId } = computation
  return ctx.db.transaction(async (tx) => {
    if (!(await stillClaimed(ctx, tx, computation))) return null
    const [counted] = await tx.run(countMembers, [ctx.projectId, segmentId])
    const total = counted?.count ?? 0
    await tx.run(storeMemberCount, [ctx.projectId, segmentId, total, ctx.clock.now()])
    return total
  })
}

async function stillClaimed(
  { clock, projectId }: Call,
  tx: Transaction,
  { segmentId, claim }: Computation,
): Promise<{ name: string; slug: string | null } | undefined> {
  const [segment] = await tx.run(renewClaim, [projectId, segmentId, claim, claimSeconds, clock.aheadMs])
  return segment
}
