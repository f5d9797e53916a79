import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { networkOf } from '../../kit/networks.ts'
import { takeAttempt } from '../users/attempts.ts'
import { signInAs } from './accounts.ts'
import type { Provider } from './provider.ts'
import { providersOf } from './providers.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'

const minuteMs = 60_000
const perNetwork = {
  name: 'oauth network',
  max: 100,
  windowMs: 15 * minuteMs,
  message: 'Too many sign-ins from this network.',
}

/**
 * Starts a sign-in with a provider and returns the provider's address to continue at. Fails with RESOURCE_NOT_FOUND for a
 * provider that is not configured, and with RATE_LIMIT_EXCEEDED.
 */
export async function beginSignIn(ctx: Ctx, { provider: name }: { provider: string }): Promise<string> {
  const provider = await findProvider(ctx, name)
  await takeAttempt(ctx, perNetwork, networkOf(ctx.client.address))
  return (await provider.addressOf(await startSignIn(ctx, name))).href
}

/** What a browser brings back from a provider. */
export interface Callback {
  provider: string
  state: string | undefined
  code: string | undefined
  error: string | undefined
  cookies: string | undefined
}

/** Signs in the user who returns from a provider. Fails with FORBIDDEN when the user or the provider declined. */
export async function completeSignIn(ctx: Ctx, { provider: name, state = '', code, error, cookies }: Callback): Promise<void> {
  const provider = await findProvider(ctx, name)
  const attempt = await finishSignIn(ctx, { provider: name, state, cookies })
  if (error !== undefined || !code) throw declined(provider, error)
  const identity = await provider.identify(code, attempt)
  await signInAs(ctx, { ...identity, provider: name, title: provider.title })
}

async function findProvider({ world }: Ctx, name: string): Promise<Provider> {
  const load = providersOf(world).get(name)
  if (load) return load()
  throw new Failure('RESOURCE_NOT_FOUND', 'This installation does not offer sign-in with this provider.', {
    suggestion: 'Sign in with your email address and password.',
  })
}

function declined({ title }: Provider, reason: string | undefined): Failure {
  const sentence =
    reason === 'access_denied' ? `You did not allow ${title} to share your identity: nothing has changed.` : `${title} did not sign you in.`
  return new Failure('FORBIDDEN', sentence, { suggestion: 'Try again, or sign in another way.' })
}
