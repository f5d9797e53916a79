import type Stripe from 'stripe'
import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { dashboardUrl } from '../../../kit/dashboard.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { waitOutside } from '../../../kit/outside.ts'
import type { BillingPage, CheckoutDraft } from '../shapes.ts'
import { findBillingAccount } from '../sql.ts'
import { endOldestPages } from './ending.ts'
import { storeCustomer } from './sql.ts'
import { askStripe, ifKnown, stripeOf } from './stripe.ts'
import { endSubscription } from './sync.ts'

/**
 * Creates a page of the payment provider on which the project starts its subscription. Emails are billed by usage; the first
 * subscription of a project also includes the onboarding price, where one is configured. At most 20 pages of a project are open: the oldest
 * ends. Fails with BILLING_DISABLED, CONFLICT when the project has a subscription, RESOURCE_NOT_FOUND for another project's id,
 * SERVICE_UNAVAILABLE.
 */
export async function createCheckout(ctx: Ctx, { id, currency }: CheckoutDraft): Promise<BillingPage> {
  requireSameProject(ctx, id)
  await stripeOf(ctx.world)
  const { db, config, world, projectId } = ctx
  const [account] = await db.run(findBillingAccount, [projectId])
  const known = await findCustomer(ctx, account?.customer)
  if (account?.subscription && known)
    throw new Failure('CONFLICT', 'The project already has a subscription.', {
      suggestion: 'Change or cancel it with POST /users/@me/projects/:id/billing-portal.',
    })
  if (account?.currency && currency && account.currency !== currency)
    throw invalid('currency', `must be ${account.currency}, the currency of the project’s earlier invoices`)
  // The provider has no subscription of a customer that it does not know: that one ends here as well.
  if (account?.customer && account.subscription && !known) await endSubscription(world, { projectId, customer: account.customer })
  const customer = known ?? (await createCustomer(ctx, account?.customer ?? null))
  const back = `${dashboardUrl(world)}/?project=${projectId}&checkout=`
  const open = async (stripe: Stripe) => {
    const earlier = config.STRIPE_PRICE_ONBOARDING ? await stripe.subscriptions.list({ customer, status: 'all', limit: 1 }) : undefined
    const onboarding = earlier?.data.length === 0 ? [{ price: config.STRIPE_PRICE_ONBOARDING ?? '', quantity: 1 }] : []
    await endOldestPages(stripe, customer)
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
  }
  const session = await waitOutside(ctx, () => askStripe(world, open))
  if (!session.url) throw new Error(`The checkout session ${session.id} has no URL`)
  return { url: session.url }
}

/**
 * Creates a page of the payment provider on which to change cards, addresses and the subscription, and to pay invoices. Works
 * while the project is suspended. Fails with BILLING_DISABLED, CONFLICT before the first checkout and where the provider knows the customer
 * no more, RESOURCE_NOT_FOUND for another project's id, SERVICE_UNAVAILABLE.
 */
export async function openBillingPortal(ctx: Ctx, { id }: { id: string }): Promise<BillingPage> {
  requireSameProject(ctx, id)
  await stripeOf(ctx.world)
  const { db, world, projectId } = ctx
  const [account] = await db.run(findBillingAccount, [projectId])
  const customer = await findCustomer(ctx, account?.customer)
  if (!customer)
    throw new Failure('CONFLICT', 'The project is no customer of the payment provider.', {
      suggestion: 'Start with POST /users/@me/projects/:id/checkout.',
    })
  const back = `${dashboardUrl(world)}/?project=${projectId}`
  const open = (stripe: Stripe) => stripe.billingPortal.sessions.create({ customer, return_url: back })
  const { url } = await waitOutside(ctx, () => askStripe(world, open))
  return { url }
}

// Null for one that the provider does not know any more.
async function findCustomer(ctx: Ctx, customer: string | null | undefined): Promise<string | null> {
  if (!customer) return null
  const find = async (stripe: Stripe): Promise<string | null> => {
    const found = await ifKnown(stripe, () => stripe.customers.retrieve(customer))
    return found === null || found.deleted ? null : customer
  }
  return waitOutside(ctx, () => askStripe(ctx.world, find))
}

// The idempotency key makes the provider create one customer per project, also for parallel calls. The first stored one stays, unless it is
// the `former` one, which the provider knows no more.
async function createCustomer(ctx: Ctx, former: string | null): Promise<string> {
  const { db, clock, world, projectId } = ctx
  const idempotencyKey = `customer-${projectId}${former === null ? '' : `-after-${former}`}`
  const create = (stripe: Stripe) =>
    stripe.customers.create({ description: `Project ${projectId}`, metadata: { projectId } }, { idempotencyKey })
  return waitOutside(ctx, async () => {
    const created = await askStripe(world, create)
    // Also when who asked has left, or may not any more: the provider has the customer by now, and forgets the key of the call after a day.
    const [stored] = await db.lasting().run(storeCustomer, [projectId, created.id, clock.now(), former])
    return stored?.customer ?? created.id
  })
}
