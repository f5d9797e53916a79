import type { Ctx } from '../../kit/context.ts'
import { topic } from '../../kit/notices.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { type CapState, type Category, categories } from './shapes.ts'
import { type AccountRow, findBillingAccount, lockUsage, makeShards, readUsage, setAllowance, setCeilings } from './sql.ts'

/** Notices of projects whose caps have changed. */
export const billingTopic = topic('billing')

/** A cap and its usage; `free` marks the allowance of projects without a subscription. */
export interface Cap {
  limit: number | null
  usage: number
  free: boolean
}

/** The caps of a project in one month, with the billing account they come from. */
export type Caps = Record<Category | 'total', Cap> & { account: AccountRow | undefined }

/** Reads the caps of a project and their usage in the month that begins with `period`. */
export async function capsOf({ db, config, projectId }: Pick<Ctx, 'db' | 'config' | 'projectId'>, period: Date): Promise<Caps> {
  const [[account], counts] = await Promise.all([db.run(findBillingAccount, [projectId]), db.run(readUsage, [projectId, period])])
  const used = new Map(counts.map(({ category, count }) => [category, count]))
  const own = (category: Category): Cap => ({ limit: account?.[category] ?? null, usage: used.get(category) ?? 0, free: false })
  const isFree = config.billing && projectId !== config.platformProjectId && account?.subscription == null
  const total = isFree ? (used.get('total') ?? 0) : categories.reduce((sum, category) => sum + (used.get(category) ?? 0), 0)
  return {
    workflows: own('workflows'),
    campaigns: own('campaigns'),
    transactional: own('transactional'),
    inbound: own('inbound'),
    total: { limit: isFree ? config.FREE_MAILS_PER_MONTH : null, usage: total, free: isFree },
    account,
  }
}

/** How many more emails are accepted this month under a cap, 0 or more; null without a limit. */
export function remainingOf({ limit, usage }: Pick<Cap, 'limit' | 'usage'>): number | null {
  return limit === null ? null : Math.max(0, limit - usage)
}

/** Converts a cap to the shape that callers see. */
export function stateOf({ limit, usage }: Cap): CapState {
  const percentage = limit === null ? 0 : Math.round((usage / limit) * 10_000) / 100
  const isBlocked = limit !== null && usage >= limit
  return { limit, usage, percentage, isWarning: limit !== null && usage * 5 >= limit * 4, isBlocked }
}

/** A month of a project, and what it may use then. */
interface MonthCaps {
  projectId: string
  month: Date
  account: AccountRow | undefined
}

/** Sets the ceilings of a month by the caps of an account, whose row the transaction has locked. */
export async function limitMonth(tx: Transaction, { projectId, month, account }: MonthCaps): Promise<void> {
  const caps = categories.map((category) => account?.[category] ?? null)
  await tx.run(makeShards, [projectId, month, categories.filter((_, at) => caps[at] !== null)])
  await tx.run(lockUsage, [projectId, month])
  await tx.run(setCeilings, [projectId, month, categories, caps])
}

/**
 * Runs work that gives back what was used of a month, and lowers the ceilings with it: one that was beyond its cap, or the free
 * `allowance`, is what was used then. All rows are locked before, in the order in which they are incremented.
 */
export async function whileGivingBack(
  tx: Transaction,
  { allowance, ...caps }: MonthCaps & { allowance: number | null },
  work: () => Promise<unknown>,
): Promise<void> {
  const { projectId, month } = caps
  await tx.run(lockUsage, [projectId, month])
  await work()
  await limitMonth(tx, caps)
  if (allowance !== null) await tx.run(setAllowance, [projectId, month, allowance])
}
