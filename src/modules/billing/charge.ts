import { createCache } from '../../kit/cache.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { topic } from '../../kit/notices.ts'
import { isPostgresError, type Transaction } from '../../kit/postgres/db.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { billingTopic, type Cap, capsOf } from './caps.ts'
import { periodOf } from './period.ts'
import type { Category } from './shapes.ts'
import { countUsage, shards } from './sql.ts'

/** Emails that are about to be accepted, and the category they count towards. */
export interface Charge {
  projectId: string
  category: Category
  /** Number of emails: to, cc and bcc recipients count one each. */
  count: number
  at: Date
  /** Emails per month that are free without a subscription; null where billing is disabled. */
  allowance: number | null
}

/** Notices of projects that have used up a cap. */
export const fullTopic = topic('billing-full')

/** The charge of a call. The project of the installation itself has no free allowance that could run out. */
export function chargeOf(
  { config, projectId }: Pick<Ctx, 'config' | 'projectId'>,
  charge: Pick<Charge, 'category' | 'count' | 'at'>,
): Charge {
  return { projectId, ...charge, allowance: config.billing && projectId !== config.platformProjectId ? config.FREE_MAILS_PER_MONTH : null }
}

interface ChargeRow {
  project_id: string
  period: string
  category: Category
  count: number
  shard: number
  allowance: number | null
}

/** The parameter of `usageCharge` in sql.ts for a group of charges, summed per project, month and category. */
export function chargeParameter(charges: Charge[]): string {
  const shard = Math.floor(Math.random() * shards)
  const sums = new Map<string, ChargeRow>()
  for (const { projectId, category, count, at, allowance } of charges) {
    const period = periodOf(at).start.toISOString().slice(0, 10)
    const key = `${projectId} ${period} ${category}`
    const sum = sums.get(key)
    if (sum) sum.count += count
    else sums.set(key, { project_id: projectId, period, category, count, shard, allowance })
  }
  return JSON.stringify([...sums.values()])
}

/**
 * Fails with BILLING_LIMIT_EXCEEDED when the cached caps show that a charge does not fit. It runs no statement, so a project
 * that has used up its caps does not slow down the others.
 */
export function requireRoom(world: World, charge: Charge): void {
  const tightest = tightestCapOf(world, charge)
  if (tightest && charge.count > tightest.left) throw exceeded(charge, tightest)
}

/** Whether a cap of the project was reached recently. Such calls are not grouped with others, because a refused call makes its group fail and be split up. */
export function isNearCap(world: World, charge: Charge): boolean {
  return tightestCapOf(world, charge) !== undefined
}

/**
 * Runs work whose statement counts the charge (`usageCharge`). Fails with BILLING_LIMIT_EXCEEDED, with nothing written, when
 * the charge does not fit under the caps of the month. Exact across any number of processes, because Postgres enforces the
 * caps.
 */
export async function withinCaps<Result>(world: World, charge: Charge, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOverCeiling(error)) throw error
      const tightest = await tightestCapCache(world).refresh(charge)
      if (charge.count > tightest.left || attempt === maxAttempts) throw exceeded(charge, tightest)
    }
  }
}

/**
 * Counts a charge in a transaction; a negative one gives back what was counted before. Returns why it does not fit under the caps of
 * the month; then nothing is counted, and the transaction goes on.
 */
export async function recordCharge(tx: Transaction, world: World, charge: Charge): Promise<Failure | null> {
  for (let attempt = 1; ; attempt++) {
    await tx.client.query('savepoint charge')
    try {
      await tx.run(countUsage, [chargeParameter([charge])])
      return null
    } catch (error) {
      if (!isOverCeiling(error)) throw error
      await tx.client.query('rollback to savepoint charge')
      const tightest = await tightestCapCache(world).refresh(charge)
      if (charge.count > tightest.left || attempt === maxAttempts) return exceeded(charge, tightest)
    }
  }
}

/** Fails with BILLING_LIMIT_EXCEEDED when a charge would not fit under the caps of its month, which may be a later one, as they are now. */
export async function requireRoomOfMonth(world: World, charge: Charge): Promise<void> {
  const tightest = await findTightestCap(world, charge)
  if (charge.count > tightest.left) throw exceeded(charge, tightest)
}

// A cap may be changed while a call is under way: the call is then tried again under the new one.
const maxAttempts = 3

/** The cap with the least room left. */
interface TightestCap {
  cap: Cap
  left: number
  end: Date
}

// Within a month the room only shrinks, unless the caps change or a charge is given back, which a notice reports. The maximum age covers notices that
// are lost without being detected, so it is measured by the machine's clock, not by the world's.
const tightestCapCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5_000,
    nameOf: ({ projectId, category }: Charge) => `${projectId} ${category}`,
    load: (charge) => findTightestCap(world, charge),
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: billingTopic, touches: (projects, { key }) => projects.includes(key.projectId) }],
    },
  }),
)

function tightestCapOf(world: World, charge: Charge): TightestCap | undefined {
  const tightest = tightestCapCache(world).get(charge)
  return tightest && charge.at < tightest.end ? tightest : undefined
}

async function findTightestCap(world: World, charge: Charge): Promise<TightestCap> {
  const { start, end } = periodOf(charge.at)
  const caps = await capsOf({ db: world.db, config: world.config, projectId: charge.projectId }, start)
  const limited = [caps[charge.category], caps.total].filter(({ limit }) => limit !== null)
  const [cap = caps.total] = limited.toSorted((a, b) => roomOf(a) - roomOf(b))
  const tightest = { cap, left: roomOf(cap), end }
  if (tightest.left <= 0) world.notices.publish(fullTopic, charge.projectId)
  return tightest
}

function roomOf({ limit, usage }: Cap): number {
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - usage)
}

function isOverCeiling(error: unknown): boolean {
  return isPostgresError(error) && error.code === '23514' && error.constraint === 'billing_usage_ceiling'
}

function exceeded({ category, count }: Charge, { cap: { limit, usage, free }, end }: TightestCap): Failure {
  const what = free ? 'The free allowance' : `The cap for ${category} email`
  const message = `${what} is ${limit} per month: ${usage} used, ${count} more requested. The next month begins ${end.toISOString()}.`
  if (!free) return new Failure('BILLING_LIMIT_EXCEEDED', message)
  return new Failure('BILLING_LIMIT_EXCEEDED', message, {
    suggestion: 'Subscribe with POST /users/@me/projects/:id/checkout, or wait for the next month (UTC).',
  })
}
