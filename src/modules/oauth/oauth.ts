import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { homeOf } from '../../kit/home.ts'
import type { PageAnswer, PageRequest } from '../../kit/html/page.ts'
import { networkOf } from '../../kit/networks.ts'
import { takeAttempt } from '../auth/accounts/attempts.ts'
import { errorPage } from '../platform/views/account.ts'
import { signInAs } from './accounts.ts'
import { startAttempt, takeAttemptOf } from './attempt.ts'
import type { Provider } from './provider.ts'
import { providersOf } from './providers.ts'

const minuteMs = 60_000
const ofNetwork = {
  name: 'oauth network',
  most: 100,
  windowMs: 15 * minuteMs,
  message: 'Too many attempts to sign in from here: wait a quarter of an hour.',
}

/** Sends somebody to a provider to sign in there. */
export async function leaveForProvider(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    const name = params.provider ?? ''
    const provider = await findProvider(ctx, name)
    await takeAttempt(ctx, ofNetwork, networkOf(ctx.client.address))
    return redirect((await provider.addressOf(await startAttempt(ctx, name))).href)
  })
}

/** Signs in whoever comes back from a provider, and sends them on to the dashboard, nowhere else. */
export async function comeBack(ctx: Ctx, { params, query, headers }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    const name = params.provider ?? ''
    const provider = await findProvider(ctx, name)
    const attempt = await takeAttemptOf(ctx, name, query.state ?? '', headers.cookie)
    if (query.error !== undefined || !query.code) throw declined(provider, query.error)
    const identity = await provider.identify(query.code, attempt)
    await signInAs(ctx, { ...identity, provider: name, title: provider.title })
    return redirect(homeOf(ctx.world))
  })
}

async function findProvider({ world }: Ctx, name: string): Promise<Provider> {
  const open = providersOf(world).get(name)
  if (open) return open()
  throw new Failure('RESOURCE_NOT_FOUND', 'This installation does not sign people in with that provider.', {
    suggestion: 'Sign in with address and password.',
  })
}

function declined({ title }: Provider, reason: string | undefined): Failure {
  const sentence =
    reason === 'access_denied' ? `You did not allow ${title} to tell who you are: nothing has changed.` : `${title} did not sign you in.`
  return new Failure('FORBIDDEN', sentence, { suggestion: 'Start again, or sign in another way.' })
}

function redirect(location: string): PageAnswer {
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

// People see this in a browser: a page says what happened, and the way back in.
async function orSorry(ctx: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    const answer = errorPage({ title: 'You are not signed in', text, status: error.status, home: homeOf(ctx.world) })
    return { ...answer, headers: { ...answer.headers, ...error.headers } }
  })
}
