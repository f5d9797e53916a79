import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { waitOutside } from '../../../kit/outside.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { findBillingAccount } from '../sql.ts'
import { askStripe } from './stripe.ts'
import { isRunning, maxListed } from './sync.ts'

/**
 * Requires that a project, which is about to be deleted, is not paid for: as it is stored and, where billing is enabled, as the payment
 * provider says, whose events may come later. Pages on which it could still be paid for end first. Fails with CONFLICT, and with
 * SERVICE_UNAVAILABLE while the provider does not respond.
 */
export async function requireNoPayments(ctx: Ctx): Promise<void> {
  const { db, world, projectId } = ctx
  await requireUnsubscribed(db, projectId)
  const [account] = await db.run(findBillingAccount, [projectId])
  const customer = account?.customer
  if (!world.config.billing || !customer) return
  const isPaid = await waitOutside(ctx, () =>
    askStripe(world, async (stripe) => {
      const open = await stripe.checkout.sessions.list({ customer, status: 'open', limit: maxListed })
      for (const { id } of open.data) await stripe.checkout.sessions.expire(id)
      const { data } = await stripe.subscriptions.list({ customer, limit: maxListed })
      return data.some(isRunning)
    }),
  )
  if (isPaid) throw paid()
}

/** Requires that no subscription of a project is stored. Fails with CONFLICT. */
export async function requireUnsubscribed(on: Executor, projectId: string): Promise<void> {
  const [account] = await on.run(findBillingAccount, [projectId])
  if (account?.subscription) throw paid()
}

function paid(): Failure {
  return new Failure('CONFLICT', 'The project has a paid subscription, which would continue without it.', {
    suggestion: 'Cancel the subscription in the billing portal (POST /users/@me/projects/:id/billing-portal) first.',
  })
}
