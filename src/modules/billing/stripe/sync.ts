import type Stripe from 'stripe'
import { announceEverywhere } from '../../../kit/announce.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { announceSuspension, liftWithin, suspendWithin } from '../../security/suspensions.ts'
import { billingTopic } from '../caps.ts'
import { periodOf } from '../period.ts'
import { settleDeferrals } from '../sql.ts'
import { beginAllowance, type CustomerRow, closeReports, findAccount, findCustomer, lockReports, storeState } from './sql.ts'
import { askStripe, ifKnown } from './stripe.ts'

/**
 * Updates a project from the current state of its customer at the payment provider: whether it has a subscription, and whether
 * an invoice could not be collected, which suspends the project (PAYMENT_FAILED) until it is paid or written off. A failed
 * first payment does not suspend the project: its subscription just does not start. A customer that the provider does not know any more
 * has no subscription. Events only trigger this, so they may
 * arrive twice, late and in any order. Of two runs at the same time, the one that read the older state reads again;
 * fails after 5 attempts.
 */
export async function syncAccount(world: World, { customer }: { customer: string }): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [account] = await world.db.run(findCustomer, [customer])
    if (!account) return reportUnknown(world, customer)
    const state = await readState(world, customer, account)
    const applied = await world.db.transaction((tx) => applyState(tx, world, { ...account, customer }, state))
    if (!applied) continue
    const { projectId } = account
    await announceEverywhere(world.notices, billingTopic, projectId)
    if (applied.suspension) await announceSuspension({ world, projectId })
    return
  }
  throw new Error(`The state of customer ${customer} changed ${maxAttempts} times while it was read`)
}

// The payment provider may have customers of other systems as well; those of deleted projects cannot cancel here what they pay.
async function reportUnknown(world: World, customer: string): Promise<void> {
  const list = (stripe: Stripe) => ifKnown(stripe, () => stripe.subscriptions.list({ customer, limit: maxListed }))
  const found = (await askStripe(world, list))?.data ?? []
  for (const { id, metadata } of found.filter((one) => isRunning(one) && one.metadata.projectId))
    world.log.warn(
      { subscription: id, customer, projectId: metadata.projectId },
      'billing: a subscription is paid for a project that was deleted: cancel it at the payment provider',
    )
}

const maxAttempts = 5
/** How many subscriptions or pages of a customer are looked at. */
export const maxListed = 100
// A subscription with a late payment still counts: the project is suspended for the unpaid invoice instead.
const running = new Set<Stripe.Subscription.Status>(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** Whether a subscription is paid for. */
export function isRunning({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return running.has(status)
}

interface State {
  subscription: string | null
  currency: string | null
  /** The reason for a suspension when an invoice could not be collected, else null; undefined for a customer that is not known any more. */
  unpaid: string | null | undefined
  /** When the stored subscription ended, if it is another one now. */
  endedAt: Date | null
}

async function readState(world: World, customer: string, { subscription: before }: CustomerRow): Promise<State> {
  const read = (stripe: Stripe) =>
    Promise.all([
      stripe.subscriptions.list({ customer, limit: maxListed }),
      stripe.invoices.list({ customer, status: 'open', limit: maxListed }),
    ])
  const found = await askStripe(world, (stripe) => ifKnown(stripe, () => read(stripe)))
  if (!found) return { ...gone, unpaid: undefined }
  const [subscriptions, open] = found
  const subscription = subscriptions.data.find(isRunning)
  const unpaid = open.data.find((invoice) => invoice.attempt_count > 0 && invoice.billing_reason !== 'subscription_create')
  return {
    subscription: subscription?.id ?? null,
    currency: subscription?.currency ?? null,
    unpaid: unpaid ? sentenceOf(unpaid) : null,
    endedAt: before !== null && before !== subscription?.id ? await readEnd(world, before) : null,
  }
}

// Null when the provider does not know it any more, or when it goes on beside a newer one.
async function readEnd(world: World, subscription: string): Promise<Date | null> {
  const found = await askStripe(world, (stripe) => ifKnown(stripe, () => stripe.subscriptions.retrieve(subscription)))
  return found?.ended_at ? new Date(found.ended_at * 1_000) : null
}

function sentenceOf({ number, amount_due, currency }: Stripe.Invoice): string {
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
  const { maximumFractionDigits = 2 } = amount.resolvedOptions()
  const due = amount.format(amount_due / 10 ** maximumFractionDigits)
  return `Invoice ${number ?? '(without a number)'} for ${due} could not be collected. Paying it lifts the suspension.`
}

async function applyState(
  tx: Transaction,
  world: World,
  account: CustomerRow & { customer: string },
  state: State,
): Promise<{ suspension: boolean } | null> {
  const ctx = { world, projectId: account.projectId }
  const { unpaid } = state
  if (!(await storeSubscription(tx, world, account, state))) return null
  if (unpaid === undefined) return { suspension: false }
  const suspension = unpaid
    ? await suspendWithin(tx, ctx, { reason: 'PAYMENT_FAILED', detail: unpaid })
    : await liftWithin(tx, ctx, 'PAYMENT_FAILED')
  return { suspension }
}

// Returns whether it was stored: not where another state was since the account was read.
async function storeSubscription(
  tx: Transaction,
  { clock, config }: World,
  account: CustomerRow & { customer: string },
  { subscription, currency, endedAt }: Omit<State, 'unpaid'>,
): Promise<boolean> {
  const { projectId, version } = account
  const now = clock.now()
  const [stored] = await tx.run(storeState, [projectId, version, subscription, currency, now])
  if (!stored) return false
  if (account.subscription !== subscription) await closeBooks(tx, { ...account, endedAt: endedAt ?? now, now })
  if (account.subscription !== null && subscription === null)
    await tx.run(beginAllowance, [projectId, periodOf(now).start, config.FREE_MAILS_PER_MONTH])
  return true
}

const gone = { subscription: null, currency: null, endedAt: null }

/** Ends what is stored as the subscription of a project whose customer the payment provider does not know any more. */
export async function endSubscription(world: World, { projectId, customer }: { projectId: string; customer: string }): Promise<void> {
  await world.db.transaction(async (tx) => {
    const [account] = await tx.run(findAccount, [projectId, customer])
    if (account?.subscription) await storeSubscription(tx, world, { ...account, customer }, gone)
  })
  await announceEverywhere(world.notices, billingTopic, projectId)
}

// What was sent under a subscription is billed under it, and what was free before one is not billed. The provider bills only what is dated
// within a subscription, on its last invoice, which stays a draft for an hour or more. What could still be given back is billed as well:
// it may leave afterwards, when there is no invoice for it any more.
async function closeBooks(
  tx: Transaction,
  { projectId, customer, subscription: before, endedAt, now }: CustomerRow & { customer: string; endedAt: Date; now: Date },
): Promise<void> {
  const months = monthsOf(now)
  if (before !== null) await tx.run(settleDeferrals, [projectId, null, periodOf(now).start])
  await tx.run(lockReports, [projectId, months])
  await tx.run(closeReports, [projectId, months, customer, endedAt < now ? endedAt : now, now, before !== null])
}

/** The month of a moment and the month before: the months that may still have usage to report. */
export function monthsOf(now: Date): Date[] {
  const { start } = periodOf(now)
  return [periodOf(new Date(start.getTime() - 1)).start, start]
}
