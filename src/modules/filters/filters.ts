import type { Ctx } from '../../kit/context.ts'
import type { Executor, Statement } from '../../kit/postgres/db.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { type FindMembership, matchingContacts, type PreparedCondition, prepareCondition } from './compile.ts'
import { isFilter, segmentsOf } from './language.ts'
import { segmentDeleted } from './membership.ts'
import { doAllExist } from './segments/needed.ts'
import type { Condition } from './shapes.ts'
import {
  countMatching,
  findNewestContacts,
  findRangeOfContacts,
  matchingAmong,
  matchingBetween,
  matchingByEmail,
  newestMatching,
  oldestMatching,
} from './sql.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

const newestRead = 5_000
const perRange = 5_000
// Above every id of a contact: its last digits are those of 26 times the highest digit.
const highestId = `cnt_${'z'.repeat(26)}`

/** A condition, and how membership of the segments in it is looked up. */
export interface Question {
  condition: Condition
  membership: FindMembership
}

/** How many contacts of the project match a condition. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s. */
export async function countMatches(ctx: Call, question: Question): Promise<number> {
  const [counted] = await scanMatches(ctx, question, countMatching)
  return counted?.count ?? 0
}

/**
 * Runs a statement about all contacts that match a condition: `make` is given what follows `from` (the contacts are `c`,
 * the project is `$1`), and `bind`, which adds a parameter. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function scanMatches<Row>(
  ctx: Call,
  question: Question,
  make: (matching: string, bind: (value: unknown) => string) => Statement<Row>,
): Promise<Row[]> {
  const prepared = await prepareCondition(ctx, question)
  const { values, bind } = parameters(ctx.projectId)
  const scan = make(matchingContacts(prepared, bind, 'many'), bind)
  return inTime(ctx.db.scans.run(scan, values))
}

/**
 * The ids of the newest contacts that match a condition, at most `limit`, older than `before` if it is given, without the
 * first `skip`. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function listMatchingIds(
  ctx: Call,
  { limit, skip, before, ...question }: Question & { limit: number; skip?: number | undefined; before?: string | undefined },
): Promise<string[]> {
  // Postgres plans a page of filters that must all match as one. With others, it would build hash tables of all contacts.
  if (skip || isConjunction(question.condition)) return readPage(ctx, await prepareCondition(ctx, question), { limit, skip, before })
  const [prepared, [newest]] = await Promise.all([
    prepareCondition(ctx, question),
    ctx.db.run(findNewestContacts, [ctx.projectId, before ?? highestId, newestRead]),
  ])
  if (!newest?.from) return []
  // Most conditions find a page among the newest contacts. The whole project is searched where they do not.
  const first = await readPage(ctx, prepared, { limit, before, from: newest.from })
  if (first.length === limit || newest.count < newestRead) return first
  return readPage(ctx, prepared, { limit, before })
}

/**
 * The ids of the oldest contacts that match a condition, oldest first: at most `limit`, newer than `after`, and older than
 * `before` if it is given. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function listOldestMatchingIds(
  ctx: Call,
  { limit, after = '', before, ...question }: Question & { limit: number; after?: string | undefined; before?: string | undefined },
): Promise<string[]> {
  const rows = await scanMatches(ctx, question, (matching, bind) =>
    oldestMatching(matching, { limit: bind(limit), after: bind(after), before: before && bind(before) }),
  )
  return rows.map(({ id }) => id)
}

/**
 * The contacts that match a condition by address, at most `limit`, between two addresses where these are given. Fails with
 * SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function listMatchingByEmail(
  ctx: Call,
  { limit, direction, gt, lt, ...question }: Question & { limit: number; direction: 'asc' | 'desc'; gt?: string; lt?: string },
): Promise<{ id: string; email: string }[]> {
  return scanMatches(ctx, question, (matching, bind) =>
    matchingByEmail(matching, {
      limit: bind(limit),
      direction,
      gt: gt === undefined ? undefined : bind(gt),
      lt: lt === undefined ? undefined : bind(lt),
    }),
  )
}

// Whether all filters must match, and none of them is a segment, which may have a condition of its own.
function isConjunction(condition: Condition): boolean {
  if (isFilter(condition)) return segmentsOf(condition).length === 0
  if (condition.logic === 'OR' && condition.groups.length > 1) return false
  return condition.groups.every(({ filters, conditions }) => filters.every(isConjunction) && (!conditions || isConjunction(conditions)))
}

async function readPage(
  { db, projectId }: Call,
  prepared: PreparedCondition,
  { limit, skip, before, from }: { limit: number; skip?: number | undefined; before: string | undefined; from?: string },
): Promise<string[]> {
  const { values, bind } = parameters(projectId)
  const matching = matchingContacts(prepared, bind, from === undefined ? 'many' : 'few')
  const range = { limit: bind(limit), skip: skip ? bind(skip) : undefined, before: before && bind(before), from: from && bind(from) }
  return (await inTime(db.scans.run(newestMatching(matching, range), values))).map(({ id }) => id)
}

/** Contacts that match, and how far was looked for them. */
export interface MatchingBatch {
  ids: string[]
  /** The last contact that was looked at: the next batch begins after it. */
  lookedUpTo: string
  /** How many contacts were looked at. */
  looked: number
  /** Whether a segment that the condition leads to through others was deleted: it has no members. */
  dangling: boolean
}

interface Walk {
  /** The contact that the batch begins after; '' for the first one. */
  after: string
  /** The last contact to look at. Default: that of the project. */
  upTo?: string
  limit: number
}

/**
 * The ids of the next contacts that match a condition, oldest first, at most `limit`, among the next 5,000 contacts of the
 * project: there may be none; null at the end. For work that changes contacts and goes on after the last one: what it changed
 * is not looked at again. Fails with VALIDATION_ERROR when a segment that the condition refers to was deleted, also meanwhile, so that such
 * work never reaches other contacts than were meant, and with SERVICE_UNAVAILABLE when it takes longer than 15 s.
 */
export async function nextMatchingIds(ctx: Call, { condition, membership, ...walk }: Question & Walk): Promise<MatchingBatch | null> {
  const prepared = await prepareCondition(ctx, { condition, membership })
  if (segmentsOf(condition).some((id) => prepared.memberships.get(id)?.kind === 'nobody')) throw segmentDeleted()
  const batch = await readNext(ctx, prepared, walk)
  if (!batch) return null
  const existed = [...prepared.memberships].flatMap(([id, { kind }]) => (kind === 'nobody' ? [] : id))
  // It was looked at who they are after they were looked up, when their members may have been removed.
  if (!(await doAllExist(ctx.db, ctx.projectId, existed))) throw segmentDeleted()
  return { ...batch, dangling: existed.length < prepared.memberships.size }
}

/** Which of some contacts match a condition: see prepareMatching. */
export type MatchingAmong = (on: Executor, ids: readonly string[]) => Promise<Set<string>>

/**
 * Prepares to ask which of some contacts match a condition at the moment, in the transaction that does something to them because of it:
 * they may have been changed since they were found.
 */
export async function prepareMatching(ctx: Call, question: Question): Promise<MatchingAmong> {
  const prepared = await prepareCondition(ctx, question)
  return async (on, ids) => {
    const { values, bind } = parameters(ctx.projectId)
    const among = matchingAmong(matchingContacts(prepared, bind, 'few'), bind(ids))
    return new Set((await on.run(among, values)).map(({ id }) => id))
  }
}

async function readNext(
  { db, projectId }: Call,
  prepared: PreparedCondition,
  { after, upTo = highestId, limit }: Walk,
): Promise<Omit<MatchingBatch, 'dangling'> | null> {
  const [range] = await db.run(findRangeOfContacts, [projectId, after, upTo, perRange])
  if (range?.last == null) return null
  const { values, bind } = parameters(projectId)
  const batch = matchingBetween(matchingContacts(prepared, bind, 'few'), { after: bind(after), upTo: bind(range.last), limit: bind(limit) })
  const ids = (await inTime(db.scans.run(batch, values))).map(({ id }) => id)
  const last = ids.at(-1)
  if (ids.length < limit || last === undefined || last === range.last) return { ids, lookedUpTo: range.last, looked: range.count }
  const [cut] = await db.run(findRangeOfContacts, [projectId, after, last, perRange])
  return { ids, lookedUpTo: last, looked: cut?.count ?? ids.length }
}

/** The parameters of a statement, of which the project is the first; `bind` adds one and returns its placeholder. */
export function parameters(...given: unknown[]): { values: unknown[]; bind: (value: unknown) => string } {
  const values = [...given]
  return { values, bind: (value) => `$${values.push(value)}` }
}

function inTime<Rows>(running: Promise<Rows>): Promise<Rows> {
  return scanned(
    running,
    'The condition took longer than 15 s to evaluate.',
    'Try again in a moment, or use fewer filters: most of all fewer groups joined by OR that ask for frequent events.',
  )
}
