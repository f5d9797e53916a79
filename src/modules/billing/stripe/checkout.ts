import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import type { BillingPage, CheckoutDraft } from '../shapes.ts'
import { findAccount } from '../sql.ts'
import { keepCustomer } from './sql.ts'
import { askStripe, stripeOf } from './stripe.ts'

/**
 * A page of the payment provider on which the project begins its subscription: mails are paid by use, and the first time
 * with the onboarding price where there is one. Fails with BILLING_DISABLED, CONFLICT when it has a subscription,
 * RESOURCE_NOT_FOUND for another project's id, SERVICE_UNAVAILABLE.
 */
export async function createCheckout(ctx: Ctx, { id, currency }: CheckoutDraft): Promise<BillingPage> {
  requireSameProject(ctx, id)
  await stripeOf(ctx.world)
  const { db, config, world, projectId } = ctx
  const [account] = await db.run(findAccount, [projectId])
  if (account?.subscription)
    throw new Failure('CONFLICT', 'The project has a subscription already.', {
      suggestion: 'Change or end it with POST /users/@me/projects/:id/billing-portal.',
    })
  if (account?.currency && currency && account.currency !== currency)
    throw invalid('currency', `must be ${account.currency}, the currency of the project’s earlier invoices`)
  const customer = account?.customer ?? (await makeCustomer(ctx))
  const back = `${config.DASHBOARD_ORIGINS[0] ?? world.publicUrl}/?project=${projectId}&checkout=`
  const session = await askStripe(world, async (stripe) => {
    const earlier = config.STRIPE_PRICE_ONBOARDING ? await stripe.subscriptions.list({ customer, status: 'all', limit: 1 }) : undefined
    const onboarding = earlier?.data.length === 0 ? [{ price: config.STRIPE_PRICE_ONBOARDING ?? '', quantity: 1 }] : []
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: config.STRIPE_PRICE_EMAIL_USAGE ?? '' }, ...onboarding],
      ...(currency && { currency }),
      metadata: { projectId },
      subscription_data: { metadata: { projectId } },
      success_url: `${back}done`,
      cancel_url: `${back}cancelled`,
    })
  })
  if (!session.url) throw new Error(`The checkout session ${session.id} has no address`)
  return { url: session.url }
}

/**
 * A page of the payment provider on which cards, addresses and the subscription are changed and invoices paid; also while
 * the project is suspended. Fails with BILLING_DISABLED, CONFLICT before the first checkout, RESOURCE_NOT_FOUND for another
 * project's id, SERVICE_UNAVAILABLE.
 */
export async function openBillingPortal(ctx: Ctx, { id }: { id: string }): Promise<BillingPage> {
  requireSameProject(ctx, id)
  await stripeOf(ctx.world)
  const { db, config, world, projectId } = ctx
  const [account] = await db.run(findAccount, [projectId])
  const customer = account?.customer
  if (!customer)
    throw new Failure('CONFLICT', 'The project has never begun a checkout.', {
      suggestion: 'Begin with POST /users/@me/projects/:id/checkout.',
    })
  const back = `${config.DASHBOARD_ORIGINS[0] ?? world.publicUrl}/?project=${projectId}`
  const { url } = await askStripe(world, (stripe) => stripe.billingPortal.sessions.create({ customer, return_url: back }))
  return { url }
}

// The provider makes one customer a project, also of two calls at once; the first one that is stored stays.
async function makeCustomer({ db, clock, world, projectId }: Ctx): Promise<string> {
  const made = await askStripe(world, (stripe) =>
    stripe.customers.create({ description: `Project ${projectId}`, metadata: { projectId } }, { idempotencyKey: `customer-${projectId}` }),
  )
  const [kept] = await db.run(keepCustomer, [projectId, made.id, clock.now()])
  return kept?.customer ?? made.id
}
