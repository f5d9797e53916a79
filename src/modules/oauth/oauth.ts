import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { homeOf } from '../../kit/home.ts'
import type { PageAnswer, PageRequest } from '../../kit/html/page.ts'
import { networkOf } from '../../kit/networks.ts'
import { takeAttempt } from '../auth/accounts/attempts.ts'
import { errorPage } from '../platform/views/account.ts'
import { signInAs } from './accounts.ts'
import type { Provider } from './provider.ts'
import { providersOf } from './providers.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'

const minuteMs = 60_000
const perNetwork = {
  name: 'oauth network',
  max: 100,
  windowMs: 15 * minuteMs,
  message: 'Too many sign-ins from this network: wait 15 minutes.',
}

/** Redirects to a provider to sign in there. Errors are shown as a page. */
export async function redirectToProvider(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return withErrorPage(ctx, async () => {
    const name = params.provider ?? ''
    const provider = await findProvider(ctx, name)
    await takeAttempt(ctx, perNetwork, networkOf(ctx.client.address))
    return redirect((await provider.addressOf(await startSignIn(ctx, name))).href)
  })
}

/** Signs in the user who returns from a provider and redirects to the dashboard, never to another address. Errors are shown as a page. */
export async function handleCallback(ctx: Ctx, { params, query, headers }: PageRequest): Promise<PageAnswer> {
  return withErrorPage(ctx, async () => {
    const name = params.provider ?? ''
    const provider = await findProvider(ctx, name)
    const attempt = await finishSignIn(ctx, name, query.state ?? '', headers.cookie)
    if (query.error !== undefined || !query.code) throw declined(provider, query.error)
    const identity = await provider.identify(query.code, attempt)
    await signInAs(ctx, { ...identity, provider: name, title: provider.title })
    return redirect(homeOf(ctx.world))
  })
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

function redirect(location: string): PageAnswer {
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

// Users see these errors in a browser, so they become a page with a link back to the dashboard.
async function withErrorPage(ctx: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    const answer = errorPage({ title: 'You are not signed in', text, status: error.status, home: homeOf(ctx.world) })
    return { ...answer, headers: { ...answer.headers, ...error.headers } }
  })
}
