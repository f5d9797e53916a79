import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { type AttemptLimit, attemptInTurn, countFailure, forgetAttempts, requireAttemptsLeft } from '../../users/attempts.ts'
import { isPassword } from '../../users/passwords.ts'
import type { Account } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { findAccount } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'
import { type NewSession, newSession, openSession } from '../sessions/sessions.ts'
import { endOneSession } from '../sessions/sql.ts'
import type { Credentials, Done, OauthConfig, SignedInUser } from '../shapes.ts'
import { stillHasPassword } from './account.ts'

const minuteMs = 60_000
const message = 'Too many attempts to sign in.'
const perAccount: AttemptLimit = { name: 'login account', max: 5, windowMs: 15 * minuteMs, message }
const perNetwork: AttemptLimit = { name: 'login network', max: 100, windowMs: 15 * minuteMs, message }

/**
 * Signs a user in by setting the session cookie. Fails with INVALID_CREDENTIALS, with the same answer in the same time for an
 * unknown address and a wrong password, and with RATE_LIMIT_EXCEEDED after 5 failures on an account or 100 from a network in
 * 15 minutes.
 */
export async function logIn(ctx: Ctx, { email, password }: Credentials): Promise<SignedInUser> {
  const account = await checkCredentials(ctx, { email, password })
  const session = await newSession(ctx)
  await ctx.db.transaction((tx) => openSessionOf(ctx, tx, { session, account }))
  return { id: account.id, email: account.email }
}

/**
 * Opens a session for an account whose password was checked, inside a transaction. Fails with INVALID_CREDENTIALS when the
 * password was replaced since, which has ended all sessions: this one must not begin after that.
 */
export async function openSessionOf(
  ctx: Ctx,
  tx: Transaction,
  { session, account }: { session: NewSession; account: Account },
): Promise<void> {
  if (!(await stillHasPassword(tx, account))) throw new Failure('INVALID_CREDENTIALS')
  await openSession(ctx, tx, { session, userId: account.id })
}

/**
 * The account whose credentials these are. Only failures count: right passwords may be sent in parallel, as several devices do.
 * Fails with INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED.
 */
export async function checkCredentials(ctx: Ctx, { email, password }: Credentials): Promise<Account> {
  const network = networkOf(ctx.client.address)
  const subjects = [
    [perAccount, email],
    [perNetwork, network],
  ] as const
  await requireAttemptsLeft(ctx, subjects)
  const account = await findAccount(ctx, email)
  const given = { passwordHash: account?.passwordHash, password }
  // When their turn comes, others of the same flood may have failed. The calls of one network for one account take turns, so that others
  // of the network are between them. Calls of other networks for the account do not wait for these, which may wait for their network.
  const turn = { account: email, begin: () => requireAttemptsLeft(ctx, subjects) }
  const matches = await attemptInTurn(ctx, [perAccount, `${email} ${network}`], () => isPassword(ctx, given, turn))
  if (!account || !matches) {
    await countFailure(ctx, subjects)
    throw new Failure('INVALID_CREDENTIALS')
  }
  // A guess among many at once may be right after the failures of the others have reached the limit: it must not be confirmed.
  await requireAttemptsLeft(ctx, subjects)
  await forgetAttempts(ctx, perAccount, email)
  return account
}

/** Ends the session of the call, if there is one, and removes the session cookie. */
export async function logOut(ctx: Ctx): Promise<Done> {
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  if (ctx.actor.kind !== 'user') return { success: true }
  const { userId, sessionId } = requireUser(ctx)
  await ctx.db.run(endOneSession, [sessionId, userId])
  await announceUser(ctx, userId)
  return { success: true }
}

/** Which OAuth providers users can sign in with. */
export async function getOauthConfig({ config }: Pick<Ctx, 'config'>): Promise<OauthConfig> {
  return { github: config.GITHUB_OAUTH_CLIENT !== undefined, google: config.GOOGLE_OAUTH_CLIENT !== undefined }
}
