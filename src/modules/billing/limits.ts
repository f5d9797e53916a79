import { requireSameProject } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { recordChange } from '../projects/changes.ts'
import { stillAdmin } from '../projects/members/rights.ts'
import { billingTopic, capsOf, limitMonth, stateOf } from './caps.ts'
import { periodOf } from './period.ts'
import type { BillingLimits, BillingLimitsChange, CapState, Category } from './shapes.ts'
import { changeCaps, selectLaterMonths } from './sql.ts'

/** The caps of a project with the category of each, and the free allowance apart: that holds for all categories together. */
export type BillingCaps = Record<Category, CategoryCap> & { freeAllowance: CategoryCap | null; currency: string | null }

/** A cap with the category it is of; null for all of them. */
export type CategoryCap = CapState & { category: Category | null }

/** The caps of the project, each with what it counts, and how much is used this month. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function getBillingCaps(ctx: Ctx, { id }: { id: string }): Promise<BillingCaps> {
  requireSameProject(ctx, id)
  const { account, ...caps } = await capsOf(ctx, periodOf(ctx.clock.now()).start)
  const state = (category: Category): CategoryCap => ({ ...stateOf(caps[category]), category })
  return {
    workflows: state('workflows'),
    campaigns: state('campaigns'),
    transactional: state('transactional'),
    inbound: state('inbound'),
    freeAllowance: caps.total.free ? { ...stateOf(caps.total), category: null } : null,
    currency: account?.currency ?? null,
  }
}

/** The same, where a category without a cap of its own shows the free allowance, while there is one. */
export async function getBillingLimits(ctx: Ctx, input: { id: string }): Promise<BillingLimits> {
  const { freeAllowance, currency, ...caps } = await getBillingCaps(ctx, input)
  const capOf = (category: Category): CapState => {
    const { category: _, ...state } = (caps[category].limit === null && freeAllowance) || caps[category]
    return state
  }
  return {
    workflows: capOf('workflows'),
    campaigns: capOf('campaigns'),
    transactional: capOf('transactional'),
    inbound: capOf('inbound'),
    currency,
  }
}

/**
 * Sets caps: a category that is left out stays unchanged, null removes its cap. The caps apply in every process once this
 * returns; emails that are already accepted stay accepted. Fails with RESOURCE_NOT_FOUND for another project's id.
 */
export async function updateBillingLimits(ctx: Ctx, { id, ...change }: BillingLimitsChange): Promise<BillingLimits> {
  requireSameProject(ctx, id)
  const { db, clock, notices, projectId } = ctx
  await db.transaction(async (tx) => {
    await stillAdmin(ctx, tx)
    const [account] = await tx.run(changeCaps, [projectId, JSON.stringify(change), clock.now()])
    // The month is that of the moment in which the row is locked: it may have been waited for.
    const { start, end } = periodOf(clock.now())
    // The next month may have begun for a process whose clock is ahead, which has counted there under the caps of before, or has
    // limited the month after it.
    const later = (await tx.run(selectLaterMonths, [projectId, end])).map(({ month }) => month)
    for (const month of [start, end, ...later]) await limitMonth(tx, { projectId, month, account })
    await recordChange(ctx, tx, { projectId, fields: (account?.changed ?? []).map((category) => `billingLimits.${category}` as const) })
  })
  await announceEverywhere(notices, billingTopic, projectId)
  return getBillingLimits(ctx, { id })
}
