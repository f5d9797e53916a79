import { timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { takeAttempt } from '../users/attempts.ts'
import type { SignInAttempt } from './provider.ts'

const validMs = 10 * 60_000
const again = { suggestion: 'Try again.' }

type Call = Pick<Ctx, 'world' | 'vault' | 'clock' | 'answer'>

/** Starts a sign-in with a provider: it is stored in a signed cookie of this browser and valid for 10 minutes. */
export async function startSignIn(ctx: Call, provider: string): Promise<SignInAttempt> {
  const { generateCodeVerifier, generateState } = await import('arctic')
  const attempt = { state: generateState(), verifier: generateCodeVerifier(), nonce: generateState() }
  const until = String(ctx.clock.now().getTime() + validMs)
  setCookie(ctx, ctx.vault.sign('oauth', [provider, until, attempt.state, attempt.verifier, attempt.nonce]), validMs / 1000)
  return attempt
}

/**
 * Finds the sign-in that a callback belongs to by its state. Fails with BAD_REQUEST when it was started in another browser,
 * for another provider or more than 10 minutes ago, and with RATE_LIMIT_EXCEEDED when it is used a second time.
 */
export async function finishSignIn(
  ctx: Ctx,
  { provider, state, cookies }: { provider: string; state: string; cookies: string | undefined },
): Promise<SignInAttempt> {
  const stored = parseCookie(cookies ?? '')[nameOf(ctx)]
  setCookie(ctx, '', 0)
  const [of, until, expected = '', verifier = '', nonce = ''] = (stored === undefined ? null : ctx.vault.verify('oauth', stored)) ?? []
  if (of !== provider || Number(until) <= ctx.clock.now().getTime() || !same(state, expected))
    throw new Failure('BAD_REQUEST', 'This sign-in was not started in this browser, or more than 10 minutes ago.', again)
  const message = 'This sign-in has been used already: try again.'
  await takeAttempt(ctx, { name: 'oauth state', max: 1, windowMs: validMs, message }, expected)
  return { state: expected, verifier, nonce }
}

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function nameOf({ world }: Pick<Ctx, 'world'>): string {
  return world.publicUrl.startsWith('https:') ? '__Host-oauth' : 'oauth'
}

// SameSite=Lax: the callback comes from the provider's site, and a Strict cookie would not be sent with it.
function setCookie(ctx: Call, value: string, maxAge: number): void {
  const secure = ctx.world.publicUrl.startsWith('https:')
  const line = stringifySetCookie({ name: nameOf(ctx), value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure })
  ctx.answer.cookies = [...(ctx.answer.cookies ?? []), line]
}
