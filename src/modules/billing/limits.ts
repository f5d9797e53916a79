import { requireSameProject } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { recordChange } from '../projects/changes.ts'
import { billingTopic, capsOf, stateOf } from './caps.ts'
import { periodOf } from './period.ts'
import { type BillingLimits, type BillingLimitsChange, type Category, categories } from './shapes.ts'
import { type AccountRow, changeCaps, lockUsage, makeShards, setCeilings } from './sql.ts'

/** The caps of the project and how much of each is used this month. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function getBillingLimits(ctx: Ctx, { id }: { id: string }): Promise<BillingLimits> {
  requireSameProject(ctx, id)
  const { account, ...caps } = await capsOf(ctx, periodOf(ctx.clock.now()).start)
  // Within the free allowance all categories share one cap. A category with a cap of its own shows that one.
  const state = (category: Category) => stateOf(caps[category].limit === null && caps.total.free ? caps.total : caps[category])
  return {
    workflows: state('workflows'),
    campaigns: state('campaigns'),
    transactional: state('transactional'),
    inbound: state('inbound'),
    currency: account?.currency ?? null,
  }
}

/**
 * Sets caps: a category that is left out stays unchanged, null removes its cap. The caps apply in every process once this
 * returns; emails that are already accepted stay accepted. Fails with RESOURCE_NOT_FOUND for another project's id.
 */
export async function updateBillingLimits(ctx: Ctx, { id, ...change }: BillingLimitsChange): Promise<BillingLimits> {
  requireSameProject(ctx, id)
  const { db, clock, notices, projectId } = ctx
  const now = clock.now()
  const month = periodOf(now).start
  const changed = categories.filter((category) => change[category] !== undefined)
  await db.transaction(async (tx) => {
    const [account] = await tx.run(changeCaps, [projectId, JSON.stringify(change), now])
    await tx.run(makeShards, [projectId, month, categories.filter((category) => capIn(account, category) !== null)])
    await tx.run(lockUsage, [projectId, month])
    await tx.run(setCeilings, [projectId, month, categories, categories.map((category) => capIn(account, category))])
    await recordChange(ctx, tx, { projectId, fields: changed.map((category) => `billingLimits.${category}` as const) })
  })
  await announceEverywhere(notices, billingTopic, projectId)
  return getBillingLimits(ctx, { id })
}

function capIn(account: AccountRow | undefined, category: Category): number | null {
  return account?.[category] ?? null
}
