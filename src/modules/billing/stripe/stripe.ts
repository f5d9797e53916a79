import type Stripe from 'stripe'
import { Failure } from '../../../kit/errors.ts'
import { perWorld, type World } from '../../../kit/world.ts'

const timeoutMs = 10_000
const retryAfterSeconds = 5

/**
 * The client of the payment provider. It is loaded on first use, because it is large and few installations have billing
 * enabled. Fails with BILLING_DISABLED where STRIPE_SECRET_KEY is not set.
 */
export async function stripeOf(world: World): Promise<Stripe> {
  if (!world.config.billing) throw new Failure('BILLING_DISABLED')
  return clientOf(world)()
}

/**
 * Calls the payment provider. Fails with SERVICE_UNAVAILABLE when it does not respond within 10 s or responds with an error;
 * the details are logged.
 */
export async function askStripe<Answer>(world: World, ask: (stripe: Stripe) => Promise<Answer>): Promise<Answer> {
  const stripe = await stripeOf(world)
  try {
    return await ask(stripe)
  } catch (error) {
    if (!(error instanceof stripe.errors.StripeError)) throw error
    const { type, message, code, requestId } = error
    world.log.warn({ type, message, code, requestId }, 'billing: the payment provider refused a request or could not be reached')
    throw new Failure('SERVICE_UNAVAILABLE', sentenceOf(error), {
      suggestion: `Nothing has changed here; try again in ${retryAfterSeconds} seconds.`,
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  }
}

const clientOf = perWorld(({ config }) => {
  let client: Promise<Stripe> | undefined
  const open = async (): Promise<Stripe> => {
    const { default: Client } = await import('stripe')
    const url = new URL(config.STRIPE_API_URL ?? 'https://api.stripe.com')
    const at = { host: url.hostname, protocol: url.protocol === 'http:' ? 'http' : 'https' } as const
    return new Client(config.STRIPE_SECRET_KEY ?? '', {
      ...at,
      ...(url.port && { port: url.port }),
      timeout: timeoutMs,
      // Its limit holds for all of an answer, that of the other client for the time in which nothing comes.
      httpClient: Client.createFetchHttpClient(),
      maxNetworkRetries: 0,
      telemetry: false,
    })
  }
  return () => {
    client ??= open()
    return client
  }
})

function sentenceOf({ type }: { type: string }): string {
  if (type === 'StripeConnectionError') return 'The payment provider cannot be reached at the moment.'
  if (type === 'StripeAPIError' || type === 'StripeRateLimitError') return 'The payment provider has a problem at the moment.'
  return 'The payment provider refused this request: the operator of this installation can find the reason in the log.'
}

/**
 * What the provider says of a customer or a subscription; null where it does not know it: it was deleted there, or is one of another
 * account of it, such as before a change of keys.
 */
export async function ifKnown<Result>(stripe: Stripe, ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof stripe.errors.StripeError && error.code === 'resource_missing') return null
    throw error
  }
}
