import { requireSameProject } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { waitOutside } from '../../kit/outside.ts'
import { periodOf } from './period.ts'
import { type BillingConsumption, categories } from './shapes.ts'
import { findBillingAccount, readUsage } from './sql.ts'
import { askStripe } from './stripe/stripe.ts'

/**
 * What the project has used this month and, if it pays, its credit and a preview of its next invoice. Fails with
 * RESOURCE_NOT_FOUND for another project's id, SERVICE_UNAVAILABLE while the payment provider does not respond.
 */
export async function getBillingConsumption(ctx: Ctx, { id }: { id: string }): Promise<BillingConsumption> {
  requireSameProject(ctx, id)
  const { db, clock, config, world, projectId } = ctx
  const period = periodOf(clock.now())
  const [[account], counts] = await Promise.all([db.run(findBillingAccount, [projectId]), db.run(readUsage, [projectId, period.start])])
  const used = new Map(counts.map(({ category, count }) => [category, count]))
  const records = categories.map((category) => ({ category, count: used.get(category) ?? 0 }))
  const total = records.reduce((sum, { count }) => sum + count, 0)
  const { customer = null, subscription = null } = account ?? {}
  const [credits, upcomingInvoice] = await Promise.all([
    config.billing && customer !== null ? waitOutside(ctx, () => creditsOf({ world, customer })) : null,
    config.billing && customer !== null && subscription !== null
      ? waitOutside(ctx, () => upcomingOf({ world, customer, subscription }))
      : null,
  ])
  return { period, usage: { total, records }, credits, upcomingInvoice }
}

type Customer = Pick<Ctx, 'world'> & { customer: string }

async function creditsOf({ world, customer }: Customer): Promise<BillingConsumption['credits']> {
  const found = await askStripe(world, (stripe) => stripe.customers.retrieve(customer))
  if (found.deleted) return null
  // The provider's balance is negative when the customer has credit.
  const creditAmount = Math.max(0, -found.balance)
  return { balance: found.balance, hasCredits: creditAmount > 0, creditAmount, currency: found.currency ?? 'usd' }
}

async function upcomingOf({
  world,
  customer,
  subscription,
}: Customer & { subscription: string }): Promise<BillingConsumption['upcomingInvoice']> {
  const next = await askStripe(world, (stripe) => stripe.invoices.createPreview({ customer, subscription }))
  return {
    amountDue: next.amount_due,
    currency: next.currency,
    periodStart: new Date(next.period_start * 1000),
    periodEnd: new Date(next.period_end * 1000),
    subtotal: next.subtotal,
    total: next.total,
  }
}
