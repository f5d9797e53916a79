import type Stripe from 'stripe'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { findUnstorable } from '../../../kit/unstorable.ts'
import { syncQueue } from '../shapes.ts'
import { storeStripeEvent } from './sql.ts'
import { stripeOf } from './stripe.ts'

// Events after which the state of a customer may have changed. The state itself is read from the provider, not from the event.
const handledTypes = new Set([
  'checkout.session.completed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
])

const toleranceSeconds = 300
const maxSignatureLength = 1_000

interface Delivery {
  raw: Buffer
  headers: Record<string, string>
}

/**
 * The event of a webhook of the payment provider, which must be signed with STRIPE_WEBHOOK_SECRET at most 5 minutes ago or ahead. Fails
 * with BAD_REQUEST for a wrong or old signature, BILLING_DISABLED.
 */
export async function verifyStripeEvent({ clock, config, world }: Ctx, { raw, headers }: Delivery): Promise<Stripe.Event> {
  const stripe = await stripeOf(world)
  const { STRIPE_WEBHOOK_SECRET: secret = '' } = config
  const event = verifyEvent(stripe, raw, { signature: headers['stripe-signature'], secret, at: clock.now() })
  if (typeof event?.id !== 'string' || typeof event.type !== 'string' || findUnstorable(event))
    throw new Failure('BAD_REQUEST', 'The body is not an event of the payment provider.', { suggestion: hint })
  return event
}

/**
 * Receives an event of the payment provider, which is verified: it is stored together with the job that handles it before this returns.
 * A repeated event changes nothing, and neither does an event of another type or of an unknown customer.
 */
export async function receiveStripeEvent({ db, jobs, clock }: Ctx, event: Stripe.Event): Promise<{ received: true }> {
  const customer = customerOf(event)
  if (!handledTypes.has(event.type) || customer === null) return { received: true }
  await db.transaction(async (tx) => {
    const [stored] = await tx.run(storeStripeEvent, [event.id, event.type, clock.now()])
    if (stored) await jobs.enqueue(syncQueue, { customer }, tx)
  })
  return { received: true }
}

function verifyEvent(
  stripe: Stripe,
  raw: Buffer,
  { signature, secret, at }: { signature: string | undefined; secret: string; at: Date },
): Stripe.Event {
  if (!signature) throw new Failure('BAD_REQUEST', 'The header Stripe-Signature is missing.', { suggestion: hint })
  // Each of several signatures is compared: while a secret is replaced there are two.
  if (signature.length > maxSignatureLength) throw wrongSignature()
  const seconds = signedAt(signature)
  // The library accepts a signature of any time in the future.
  if (seconds === null || !isComplete(signature) || seconds - at.getTime() / 1000 > toleranceSeconds) throw wrongSignature()
  try {
    return stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds, undefined, at.getTime())
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new Failure('BAD_REQUEST', 'The body is not JSON.', { suggestion: hint })
    if (cause instanceof stripe.errors.StripeSignatureVerificationError) throw wrongSignature()
    throw cause
  }
}

// Null unless the signature has one time, as a plain number: the library also takes text that only begins with one, and text without one
// is never too old for it.
function signedAt(signature: string): number | null {
  const [time = '', ...more] = signature.split(',').filter((part) => /^t(=|$)/.test(part))
  const [, seconds] = /^t=([1-9]\d{0,10})$/.exec(time) ?? []
  return seconds === undefined || more.length > 0 ? null : Number(seconds)
}

// The library throws for a signature without a value.
function isComplete(signature: string): boolean {
  return signature.split(',').every((part) => !/^v1(=|$)/.test(part) || /^v1=[\da-f]{64}$/.test(part))
}

function wrongSignature(): Failure {
  return new Failure('BAD_REQUEST', 'The signature is wrong, or more than 5 minutes old or ahead.', { suggestion: hint })
}

const hint = 'Only the payment provider calls this. STRIPE_WEBHOOK_SECRET must be the signing secret of its webhook.'

function customerOf({ data }: Stripe.Event): string | null {
  const { customer } = (data?.object ?? {}) as { customer?: unknown }
  if (typeof customer === 'string') return customer
  const { id } = (customer ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : null
}
