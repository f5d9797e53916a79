import type Stripe from 'stripe'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { waitOutside } from '../../../kit/outside.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { findBillingAccount } from '../sql.ts'
import { askStripe, ifKnown } from './stripe.ts'
import { isRunning, maxListed } from './sync.ts'

const maxOpenPages = 20

/**
 * Requires that a project, which is about to be deleted, is not paid for: as it is stored and, where billing is enabled, as the payment
 * provider says, whose events may come later. Pages on which it could still be paid for end first. Fails with CONFLICT, and with
 * SERVICE_UNAVAILABLE while the provider does not respond.
 */
export async function requireNoPayments(ctx: Ctx): Promise<void> {
  const { world, projectId } = ctx
  const customer = await requireUnsubscribed(ctx.db, projectId)
  if (!world.config.billing || !customer) return
  if (await waitOutside(ctx, () => askStripe(world, (stripe) => endPages(stripe, customer)))) throw paid()
}

/**
 * Ends the payment pages of a customer whose project has just been deleted: one that was opened while that was looked at may have been
 * handed out. Those opened later are not, as nobody has rights in the project any more. Failures are logged.
 */
export async function endPagesOfDeleted({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, customer: string | null): Promise<void> {
  if (!world.config.billing || !customer) return
  const isPaid = await askStripe(world, (stripe) => endPages(stripe, customer)).catch((error: unknown) => {
    world.log.warn({ err: error, customer, projectId }, 'billing: payment pages of a deleted project may still be open')
  })
  if (isPaid) world.log.warn({ customer, projectId }, 'billing: a project was deleted while it was paid for: cancel its subscription')
}

/** Ends the oldest open payment pages of a customer, so that with one more there are at most 20: all of them are found when its project is deleted. */
export async function endOldestPages(stripe: Stripe, customer: string): Promise<void> {
  // The newest come first.
  const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: maxListed })
  for (const { id } of open.data.slice(maxOpenPages - 1)) await endPage(stripe, id)
}

// Returns whether a subscription runs.
async function endPages(stripe: Stripe, customer: string): Promise<boolean> {
  const isPaid = await ifKnown(stripe, async () => {
    const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: maxListed })
    for (const { id } of open.data) await endPage(stripe, id)
    const { data } = await stripe.subscriptions.list({ customer, limit: maxListed })
    return data.some(isRunning)
  })
  return isPaid ?? false
}

// One that has ended by itself, or was paid on, since it was listed is refused; a subscription is found afterwards.
async function endPage(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    if (!(error instanceof stripe.errors.StripeInvalidRequestError)) throw error
  }
}

/** Requires that no subscription of a project is stored; returns its customer at the payment provider, if it has one. Fails with CONFLICT. */
export async function requireUnsubscribed(on: Executor, projectId: string): Promise<string | null> {
  const [account] = await on.run(findBillingAccount, [projectId])
  if (account?.subscription) throw paid()
  return account?.customer ?? null
}

function paid(): Failure {
  return new Failure('CONFLICT', 'The project has a paid subscription, which would continue without it.', {
    suggestion: 'Cancel the subscription in the billing portal (POST /users/@me/projects/:id/billing-portal) first.',
  })
}
