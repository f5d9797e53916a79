import { timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { takeAttempt } from '../auth/accounts/attempts.ts'
import type { Attempt } from './provider.ts'

const holdsMs = 10 * 60_000
const again = { suggestion: 'Start again.' }

type Own = Pick<Ctx, 'world' | 'vault' | 'clock' | 'answer'>

/** Starts an attempt to sign in with a provider: kept in a signed cookie of this browser, for 10 minutes. */
export async function startAttempt(ctx: Own, provider: string): Promise<Attempt> {
  const { generateCodeVerifier, generateState } = await import('arctic')
  const attempt = { state: generateState(), verifier: generateCodeVerifier(), nonce: generateState() }
  const until = String(ctx.clock.now().getTime() + holdsMs)
  keep(ctx, ctx.vault.sign('oauth', [provider, until, attempt.state, attempt.verifier, attempt.nonce]), holdsMs / 1000)
  return attempt
}

/**
 * Takes the attempt that came back with a state: made by this browser, for this provider, not over and not taken before.
 * Fails with BAD_REQUEST, and with RATE_LIMIT_EXCEEDED the second time.
 */
export async function takeAttemptOf(ctx: Ctx, provider: string, state: string, cookies: string | undefined): Promise<Attempt> {
  const kept = parseCookie(cookies ?? '')[nameOf(ctx)]
  keep(ctx, '', 0)
  const [of, until, expected = '', verifier = '', nonce = ''] = (kept === undefined ? null : ctx.vault.verify('oauth', kept)) ?? []
  if (of !== provider || Number(until) <= ctx.clock.now().getTime() || !same(state, expected))
    throw new Failure('BAD_REQUEST', 'This sign-in was not started in this browser, or more than 10 minutes ago.', again)
  const message = 'This sign-in was used already: start again.'
  await takeAttempt(ctx, { name: 'oauth state', most: 1, windowMs: holdsMs, message }, expected)
  return { state: expected, verifier, nonce }
}

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function nameOf({ world }: Pick<Ctx, 'world'>): string {
  return world.publicUrl.startsWith('https:') ? '__Host-oauth' : 'oauth'
}

// Lax: the way back is a link from the provider's site, which Strict would leave it out of.
function keep(ctx: Own, value: string, maxAge: number): void {
  const secure = ctx.world.publicUrl.startsWith('https:')
  const line = stringifySetCookie({ name: nameOf(ctx), value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure })
  ctx.answer.cookies = [...(ctx.answer.cookies ?? []), line]
}
