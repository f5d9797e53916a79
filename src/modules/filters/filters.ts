import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { isStatementTimeout } from '../../kit/postgres/db.ts'
import { type FindMembership, predicateOf, prepareCondition } from './compile.ts'
import type { Condition } from './shapes.ts'
import { countMatching, findRangeOfContacts, matchingBetween, newestMatching } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** A condition, and how membership of the segments in it is looked up. */
export interface Question {
  condition: Condition
  membership: FindMembership
}

/** How many contacts of the project match a condition. Fails with SERVICE_UNAVAILABLE when that takes longer than 15 s. */
export async function countMatches(ctx: Call, question: Question): Promise<number> {
  const prepared = await prepareCondition(ctx, question)
  const { values, bind } = parameters(ctx.projectId)
  const counting = countMatching(predicateOf(prepared, bind))
  const [counted] = await inTime(ctx.db.scans.run(counting, values))
  return counted?.count ?? 0
}

/**
 * The ids of the newest contacts that match a condition, at most `limit`, older than `before` if it is given. Fails with
 * SERVICE_UNAVAILABLE when that takes longer than 15 s.
 */
export async function listMatchingIds(
  ctx: Call,
  { limit, before, ...question }: Question & { limit: number; before?: string | undefined },
): Promise<string[]> {
  const prepared = await prepareCondition(ctx, question)
  const { values, bind } = parameters(ctx.projectId)
  const page = newestMatching(predicateOf(prepared, bind), bind(limit), before === undefined ? undefined : bind(before))
  const rows = await inTime(ctx.db.scans.run(page, values))
  return rows.map(({ id }) => id)
}

/**
 * The ids of all contacts that match a condition, oldest first, in one batch per `contacts` contacts of the project: a batch
 * may have fewer ids, but is never empty. Time and memory per batch do not depend on how many match, and no transaction is
 * open between two batches. The clock is read once, at the beginning.
 */
export async function* walkMatchingIds(
  ctx: Call,
  { contacts, after = '', ...question }: Question & { contacts: number; after?: string },
): AsyncGenerator<string[]> {
  const prepared = await prepareCondition(ctx, question)
  for (let from = after; ; ) {
    const [range] = await ctx.db.run(findRangeOfContacts, [ctx.projectId, from, contacts])
    if (range?.upTo == null) return
    const { values, bind } = parameters(ctx.projectId)
    const batch = matchingBetween(predicateOf(prepared, bind), bind(from), bind(range.upTo))
    const rows = await inTime(ctx.db.scans.run(batch, values))
    if (rows.length > 0) yield rows.map(({ id }) => id)
    from = range.upTo
  }
}

/** The parameters of a statement, of which the project is the first; `bind` adds one and returns its placeholder. */
export function parameters(...given: unknown[]): { values: unknown[]; bind: (value: unknown) => string } {
  const values = [...given]
  return { values, bind: (value) => `$${values.push(value)}` }
}

/** Waits for a statement of `db.scans`. */
async function inTime<Rows>(running: Promise<Rows>): Promise<Rows> {
  try {
    return await running
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    throw new Failure('SERVICE_UNAVAILABLE', 'The condition took longer than 15 s to evaluate.', {
      suggestion: 'Try again in a moment, or use fewer filters: most of all fewer groups joined by OR that ask for frequent events.',
      headers: { 'Retry-After': '5' },
    })
  }
}
