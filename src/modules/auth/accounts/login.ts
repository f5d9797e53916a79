import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import { isPassword } from '../../users/passwords.ts'
import { announceUser } from '../../users/topics.ts'
import { findAccount } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'
import { openSession } from '../sessions/sessions.ts'
import { endOneSession } from '../sessions/sql.ts'
import type { Credentials, Done, OauthConfig, SignedInUser } from '../shapes.ts'
import { type Allowed, forgetAttempts, takeAttempt, takeBackAttempt } from './attempts.ts'

const minuteMs = 60_000
const message = 'Too many attempts to sign in: wait as many seconds as the Retry-After header says.'
const ofAccount: Allowed = { name: 'login account', most: 5, windowMs: 15 * minuteMs, message }
const ofNetwork: Allowed = { name: 'login network', most: 100, windowMs: 15 * minuteMs, message }

/**
 * Signs somebody in: the session is in the cookie of the answer. The same answer, after the same work, for an unknown
 * address and a wrong password (INVALID_CREDENTIALS); RATE_LIMIT_EXCEEDED after 5 failures on an account or 100 from a
 * network address in 15 minutes.
 */
export async function logIn(ctx: Ctx, { email, password }: Credentials): Promise<SignedInUser> {
  const user = await checkCredentials(ctx, { email, password })
  await openSession(ctx, user.id)
  return user
}

/** Whose credentials these are; counts failures. Fails with INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED. */
export async function checkCredentials(ctx: Ctx, { email, password }: Credentials): Promise<SignedInUser> {
  const network = networkOf(ctx.client.address)
  await takeAttempt(ctx, ofNetwork, network)
  await takeAttempt(ctx, ofAccount, email)
  const account = await findAccount(ctx, email)
  const same = await isPassword(account?.passwordHash, password)
  if (!account || !same) throw new Failure('INVALID_CREDENTIALS')
  await forgetAttempts(ctx, ofAccount, email)
  await takeBackAttempt(ctx, ofNetwork, network)
  return { id: account.id, email: account.email }
}

/** Ends the session of the call, if there is one, and clears its cookie. */
export async function logOut(ctx: Ctx): Promise<Done> {
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  if (ctx.actor.kind !== 'user') return { success: true }
  const { userId, sessionId } = requireUser(ctx)
  await ctx.db.run(endOneSession, [sessionId, userId])
  await announceUser(ctx, userId)
  return { success: true }
}

/** Which other providers people may sign in with here. */
export async function getOauthConfig({ config }: Pick<Ctx, 'config'>): Promise<OauthConfig> {
  return { github: config.GITHUB_OAUTH_CLIENT !== undefined, google: config.GOOGLE_OAUTH_CLIENT !== undefined }
}
