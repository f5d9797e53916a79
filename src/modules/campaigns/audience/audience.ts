import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { scanned } from '../../../kit/postgres/scanned.ts'
import { conditionOf, holdMeant, nextOfAudience } from '../../contacts/audience/audience.ts'
import { conditionsOf, findMemberships } from '../../filters/compile.ts'
import { scanMatches } from '../../filters/filters.ts'
import { conditionsIn, findExisting, membershipIn, type SegmentConditions } from '../../filters/membership.ts'
import { askedIn, type Chosen, chosenAt, requireNoneRemoved, requireUnremoved, wideningOf } from '../../filters/removals/removals.ts'
import type { Condition } from '../../filters/shapes.ts'
import type { EmailType } from '../../templates/shapes.ts'
import type { AudiencePreview, CampaignAudience, ExclusionReason, Meant } from './shapes.ts'
import {
  countAll,
  countMatchingReasons,
  countOfSource,
  type ReasonCount,
  selectContactsUpTo,
  selectOfSource,
  selectReasons,
} from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/** What says who is sent a campaign. */
export interface CampaignTarget {
  type: EmailType
  audienceType: CampaignAudience
  segmentId: string | null
  audienceFilter: Condition | null
  sourceId: string | null
  sourceOutcome: string | null
}

/** The target of a campaign, the conditions that the segments had to which it leads when it started, and since when it was meant. */
export type FrozenTarget = CampaignTarget & { segments: SegmentConditions; since: Date }

/** The conditions of the segments of an audience, and all that must not be deleted that these and its own ask. */
export interface AskedSegments {
  segments: SegmentConditions
  asked: Chosen[]
}

/** Contacts of an audience: those a campaign is sent to, and the others with the reason. */
export interface AudienceBatch {
  included: string[]
  excluded: { id: string; reason: ExclusionReason }[]
  /** Up to which contact was looked. */
  upTo: string
}

/** How many contacts of a project one batch looks at. */
export const perBatch = 5_000

// The audience as a condition; null for all contacts.
function conditionOfTarget({
  audienceType,
  segmentId,
  audienceFilter,
}: Omit<CampaignTarget, 'type' | 'sourceId' | 'sourceOutcome'>): Condition | null {
  if (audienceType === 'ALL') return null
  const condition =
    audienceType === 'SEGMENT' ? segmentId && conditionOf({ segmentId }) : audienceFilter && conditionOf({ condition: audienceFilter })
  // Never everybody for want of a condition.
  if (!condition) throw new Failure('VALIDATION_ERROR', 'The audience is not complete: choose it again.')
  return condition
}

/**
 * The conditions that the segments have now to which the audience of a campaign leads. Requires that nothing was deleted that its own
 * condition asks since it was chosen (`since`), or that those of the segments ask since they were as well; and nothing whose absence one of
 * these asks, since that one was chosen: it is for more contacts than were meant. Fails with FieldRemoved, and with SegmentDeleted.
 */
export async function segmentsOfTarget(ctx: Call, target: CampaignTarget & { since: Date }): Promise<AskedSegments> {
  const condition = target.sourceId === null ? conditionOfTarget(target) : null
  if (!condition) return { segments: {}, asked: [] }
  const { since } = target
  const found = await findExisting(ctx, condition)
  const ofSegments = [...found.values()].flatMap((one) =>
    one.kind === 'condition' ? askedIn([one.condition], one.since > since ? one.since : since) : [],
  )
  const asked = [...askedIn([condition], since), ...ofSegments, ...wideningOf(condition, since, found)]
  await requireNoneRemoved(ctx.db, ctx.projectId, asked)
  return { segments: conditionsIn(found), asked }
}

/** From when on it counts what is deleted that an audience asks which is chosen now; see chosenAt. */
export async function meantSince(ctx: Call, { audienceType, segmentId = null, audienceFilter }: Meant): Promise<Date> {
  const now = ctx.clock.now()
  const condition = conditionOfTarget({ audienceType, segmentId, audienceFilter: (audienceFilter ?? null) as Condition | null })
  if (!condition) return now
  const found = await findMemberships([condition], membershipIn(ctx))
  return chosenAt(ctx.db, ctx.projectId, { conditions: [condition, ...conditionsOf(found)], now })
}

/** Requires the same of its own condition, where those of its segments have been read. */
export async function requireOwn({ db, projectId }: Call, target: CampaignTarget & { since: Date }): Promise<void> {
  const condition = target.sourceId === null ? conditionOfTarget(target) : null
  if (condition) await requireUnremoved(db, projectId, { conditions: [condition], since: target.since })
}

/**
 * Holds the segments that say who a campaign is sent to in the transaction that writes some of them down; returns whether all of them
 * exist.
 */
export async function holdTarget(tx: Transaction, projectId: string, target: FrozenTarget): Promise<boolean> {
  const condition = target.sourceId === null ? conditionOfTarget(target) : null
  return condition === null || holdMeant(tx, projectId, { ...target, condition })
}

/**
 * The next contacts of an audience after one, up to and including another, among the next 5,000 contacts; null at the end. Fails with
 * VALIDATION_ERROR when a segment, a field or an event that says who it is sent to was deleted, and with SERVICE_UNAVAILABLE when it takes
 * longer than 15 s.
 */
export async function nextOfTarget(
  ctx: Call,
  target: FrozenTarget,
  { after, upTo }: { after: string; upTo: string },
): Promise<AudienceBatch | null> {
  const found = await nextIds(ctx, target, { after, upTo })
  if (!found) return null
  const rows = await ctx.db.run(selectReasons, [ctx.projectId, found.ids, target.type])
  return {
    included: rows.flatMap(({ id, reason }) => (reason === null ? id : [])),
    excluded: rows.flatMap(({ id, reason }) => (reason === null ? [] : { id, reason })),
    upTo: found.lookedUpTo,
  }
}

async function nextIds(
  ctx: Call,
  target: FrozenTarget,
  { after, upTo }: { after: string; upTo: string },
): Promise<{ ids: string[]; lookedUpTo: string } | null> {
  const { db, projectId } = ctx
  if (target.sourceId !== null) {
    const rows = await db.run(selectOfSource, [projectId, target.sourceId, after, target.sourceOutcome, perBatch])
    const last = rows.at(-1)
    return last ? { ids: rows.flatMap(({ id, matches }) => (matches ? id : [])), lookedUpTo: last.id } : null
  }
  const condition = conditionOfTarget(target)
  if (condition) return nextOfAudience(ctx, { ...target, condition }, { after, upTo, limit: perBatch })
  const rows = await db.run(selectContactsUpTo, [projectId, after, upTo, perBatch])
  const last = rows.at(-1)
  return last ? { ids: rows.map(({ id }) => id), lookedUpTo: last.id } : null
}

/**
 * Counts who would be sent a campaign if it started now: by the same rules as when it starts. Fails with SERVICE_UNAVAILABLE when
 * that takes longer than 15 s.
 */
export async function previewTarget(ctx: Call, target: CampaignTarget): Promise<AudiencePreview> {
  const rows = await countReasons(ctx, target)
  return {
    recipients: rows.find(({ reason }) => reason === null)?.count ?? 0,
    excluded: rows
      .flatMap(({ reason, count }) => (reason === null ? [] : { reason, count }))
      .sort((a, b) => (a.reason < b.reason ? -1 : 1)),
  }
}

const tooLong = 'Counting the audience took longer than 15 s.'

async function countReasons(ctx: Call, target: CampaignTarget): Promise<ReasonCount[]> {
  const { db, projectId } = ctx
  const { type, sourceId, sourceOutcome } = target
  if (sourceId !== null) return scanned(db.scans.run(countOfSource, [projectId, type, sourceId, sourceOutcome]), tooLong)
  const condition = conditionOfTarget(target)
  if (!condition) return scanned(db.scans.run(countAll, [projectId, type]), tooLong)
  return scanMatches(ctx, { condition, membership: membershipIn(ctx) }, (matching, bind) =>
    countMatchingReasons(matching, `${bind(type)}::text`),
  )
}
