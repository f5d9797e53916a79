import { createCache } from '../../kit/cache.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { topic } from '../../kit/notices.ts'
import { isPostgresError } from '../../kit/postgres/db.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { billingTopic, type Cap, capsOf } from './caps.ts'
import { periodOf } from './period.ts'
import type { Category } from './shapes.ts'
import { slots } from './sql.ts'

/** Mails that are about to be accepted, and what they count in. */
export interface Charge {
  projectId: string
  category: Category
  /** Mails: recipients, cc and bcc each. */
  count: number
  at: Date
  /** Mails a month without a subscription; null where billing is off. */
  allowance: number | null
}

/** Notices of projects that have used a cap up. */
export const fullTopic = topic('billing-full')

/** What a call of this project costs; the installation's own mail is never short of an allowance. */
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
  slot: number
  allowance: number | null
}

/** The parameter of `usageCharge` in sql.ts for a group of charges. */
export function chargeParameter(charges: Charge[]): string {
  const slot = Math.floor(Math.random() * slots)
  const sums = new Map<string, ChargeRow>()
  for (const { projectId, category, count, at, allowance } of charges) {
    const period = periodOf(at).start.toISOString().slice(0, 10)
    const key = `${projectId} ${period} ${category}`
    const sum = sums.get(key)
    if (sum) sum.count += count
    else sums.set(key, { project_id: projectId, period, category, count, slot, allowance })
  }
  return JSON.stringify([...sums.values()])
}

/**
 * Refuses at once, with BILLING_LIMIT_EXCEEDED, what is known not to fit under a cap any more, so that a project that has
 * used its caps up costs the others nothing.
 */
export function requireRoom(world: World, charge: Charge): void {
  const tight = tightOf(world, charge)
  if (tight && charge.count > tight.left) throw exceeded(charge, tight)
}

/** Whether a cap of the project was reached lately: such calls go alone, because a group they break must be cut up. */
export function isNearCap(world: World, charge: Charge): boolean {
  return tightOf(world, charge) !== undefined
}

/**
 * Does work whose statement counts the charge (`usageCharge`). Fails with BILLING_LIMIT_EXCEEDED, nothing written, when it
 * does not fit under the caps of the month; exact over any number of processes, because Postgres holds the caps.
 */
export async function withinCaps<Result>(world: World, charge: Charge, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOverCeiling(error)) throw error
      const tight = await tightCache(world).refresh(charge)
      if (charge.count > tight.left || attempt === attempts) throw exceeded(charge, tight)
    }
  }
}

// A cap may be set or lifted while a call is under way: it is tried again under the new one.
const attempts = 3

/** The cap that leaves least room. */
interface Tight {
  cap: Cap
  left: number
  end: Date
}

// Within a month room only shrinks, unless the caps change: then the notice comes. The age is the bound for a notice that
// got lost unnoticed, so it is not read from a clock that can be turned.
const tightCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5_000,
    nameOf: ({ projectId, category }: Charge) => `${projectId} ${category}`,
    load: (charge) => findTightest(world, charge),
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: billingTopic, touches: (projects, { key }) => projects.includes(key.projectId) }],
    },
  }),
)

function tightOf(world: World, charge: Charge): Tight | undefined {
  const tight = tightCache(world).get(charge)
  return tight && charge.at < tight.end ? tight : undefined
}

async function findTightest(world: World, charge: Charge): Promise<Tight> {
  const { start, end } = periodOf(charge.at)
  const caps = await capsOf({ db: world.db, config: world.config, projectId: charge.projectId }, start)
  const over = [caps[charge.category], caps.total].filter(({ limit }) => limit !== null)
  const [cap = caps.total] = over.toSorted((a, b) => roomOf(a) - roomOf(b))
  const tight = { cap, left: roomOf(cap), end }
  if (tight.left <= 0) world.notices.publish(fullTopic, charge.projectId)
  return tight
}

function roomOf({ limit, usage }: Cap): number {
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - usage)
}

function isOverCeiling(error: unknown): boolean {
  return isPostgresError(error) && error.code === '23514' && error.constraint === 'billing_usage_ceiling'
}

function exceeded({ category, count }: Charge, { cap: { limit, usage, free }, end }: Tight): Failure {
  const what = free ? 'The free allowance' : `The cap for ${category} mail`
  const message = `${what} is ${limit} a month: ${usage} used, ${count} more asked for. A new month begins ${end.toISOString()}.`
  if (!free) return new Failure('BILLING_LIMIT_EXCEEDED', message)
  return new Failure('BILLING_LIMIT_EXCEEDED', message, {
    suggestion: 'Subscribe with POST /users/@me/projects/:id/checkout, or wait for the next month (UTC).',
  })
}
