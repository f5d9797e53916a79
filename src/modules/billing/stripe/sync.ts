import type Stripe from 'stripe'
import { announceEverywhere } from '../../../kit/announce.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { announceSuspension, liftWithin, suspendWithin } from '../../security/suspensions.ts'
import { billingTopic } from '../caps.ts'
import { periodOf } from '../period.ts'
import { beginAllowance, beginReports, type CustomerRow, findCustomer, keepState } from './sql.ts'
import { askStripe } from './stripe.ts'

/**
 * Takes over what the payment provider says of a customer now: whether it has a subscription, and whether an invoice could
 * not be collected, which suspends the project (PAYMENT_FAILED) until it is paid or written off. The first payment is
 * excepted: a checkout that failed only does not begin. Events only say when to look, so they may come twice, late and in
 * any order; of two looks at once the older one is dropped and repeated.
 */
export async function syncAccount(world: World, { customer }: { customer: string }): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const [account] = await world.db.run(findCustomer, [customer])
    if (!account) return
    const state = await readState(world, customer)
    const taken = await world.db.transaction((tx) => takeOver(tx, world, account, state))
    if (!taken) continue
    const { projectId } = account
    await announceEverywhere(world.notices, billingTopic, projectId)
    if (taken.suspension) await announceSuspension({ world, projectId })
    return
  }
  throw new Error(`The state of customer ${customer} changed ${attempts} times while it was read`)
}

const attempts = 5
const most = 100
// A subscription whose payment is late is one still: the project is suspended for the invoice.
const running = new Set<Stripe.Subscription.Status>(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

interface State {
  subscription: string | null
  currency: string | null
  /** What is to be said of an invoice that could not be collected. */
  unpaid: string | null
}

async function readState(world: World, customer: string): Promise<State> {
  const [subscriptions, open] = await askStripe(world, (stripe) =>
    Promise.all([stripe.subscriptions.list({ customer, limit: most }), stripe.invoices.list({ customer, status: 'open', limit: most })]),
  )
  const subscription = subscriptions.data.find(({ status }) => running.has(status))
  const unpaid = open.data.find((invoice) => invoice.attempt_count > 0 && invoice.billing_reason !== 'subscription_create')
  return { subscription: subscription?.id ?? null, currency: subscription?.currency ?? null, unpaid: unpaid ? sentenceOf(unpaid) : null }
}

function sentenceOf({ number, amount_due, currency }: Stripe.Invoice): string {
  const amount = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
  const { maximumFractionDigits = 2 } = amount.resolvedOptions()
  const due = amount.format(amount_due / 10 ** maximumFractionDigits)
  return `The invoice ${number ?? 'without a number'} over ${due} could not be collected. Paying it lifts the suspension.`
}

async function takeOver(
  tx: Transaction,
  world: World,
  { projectId, subscription: before, version }: CustomerRow,
  { subscription, currency, unpaid }: State,
): Promise<{ suspension: boolean } | null> {
  const now = world.clock.now()
  const [kept] = await tx.run(keepState, [projectId, version, subscription, currency, now])
  if (!kept) return null
  if (before === null && subscription !== null) await tx.run(beginReports, [projectId, monthsOf(now)])
  if (before !== null && subscription === null)
    await tx.run(beginAllowance, [projectId, periodOf(now).start, world.config.FREE_MAILS_PER_MONTH])
  const ctx = { world, projectId }
  const suspension = unpaid
    ? await suspendWithin(tx, ctx, { reason: 'PAYMENT_FAILED', detail: unpaid })
    : await liftWithin(tx, ctx, 'PAYMENT_FAILED')
  return { suspension }
}

/** The month of a moment and the one before it: what may still have to be reported. */
export function monthsOf(now: Date): Date[] {
  const { start } = periodOf(now)
  return [periodOf(new Date(start.getTime() - 1)).start, start]
}
