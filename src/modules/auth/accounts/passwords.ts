import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { hashPassword, isPassword, requireUncommon } from '../../users/passwords.ts'
import { announceUser } from '../../users/topics.ts'
import { findAccount, holdAccount, setPasswordHash } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'
import { endSessions } from '../sessions/sessions.ts'
import {
  type ByToken,
  type PasswordChange,
  type PasswordReset,
  type ResetJob,
  type ResetRequest,
  resetQueue,
  type Said,
} from '../shapes.ts'
import { type Allowed, takeAttempt } from './attempts.ts'
import { checkToken, dropTokensOf, makeToken, takeToken, tokenHours } from './links.ts'
import { confirmAddress } from './signup.ts'

const hourMs = 3_600_000
const message = 'Too many requests for a reset: look into your spam folder, or wait as many seconds as the Retry-After header says.'
const ofAccount: Allowed = { name: 'reset', most: 3, windowMs: hourMs, message }
const ofNetwork: Allowed = { name: 'reset network', most: 100, windowMs: hourMs / 4, message }

/**
 * Mails a link that resets a password, where the address has an account. The answer, and the time it takes, are the same
 * where it has none. Fails with RATE_LIMIT_EXCEEDED after 3 requests for an address in an hour.
 */
export async function requestPasswordReset(ctx: Ctx, { email }: ResetRequest): Promise<Said> {
  await takeAttempt(ctx, ofNetwork, networkOf(ctx.client.address))
  await takeAttempt(ctx, ofAccount, email)
  await ctx.jobs.enqueue(resetQueue, { email })
  return { message: 'If that address has an account, a mail with a link is on its way.' }
}

/** Mails the link of a reset that was asked for, if the address has an account. */
export async function sendPasswordReset(ctx: Ctx, { email }: ResetJob): Promise<void> {
  const account = await findAccount(ctx, email)
  if (!account) return
  await ctx.db.transaction(async (tx) => {
    const token = await makeToken(ctx, tx, account.id, 'RESET_PASSWORD')
    await notify(
      ctx,
      { to: email, kind: 'reset-password', data: { path: `/reset-password/${token}`, hours: tokenHours.RESET_PASSWORD } },
      tx,
    )
  })
}

/**
 * Sets a new password by the link of a mail, which also proves the address. Every session of the account ends at once.
 * Works once a link; fails with BAD_REQUEST when it was used, is over or unknown.
 */
export async function resetPassword(ctx: Ctx, { token, newPassword }: PasswordReset): Promise<Said> {
  await requireUncommon(ctx, 'newPassword', newPassword)
  await checkToken(ctx, token, 'RESET_PASSWORD')
  const passwordHash = await hashPassword(newPassword)
  const userId = await ctx.db.transaction(async (tx) => {
    const id = await takeToken(ctx, tx, token, 'RESET_PASSWORD')
    await confirmAddress(ctx, tx, id)
    await renew(ctx, tx, id, passwordHash)
    return id
  })
  await announceUser(ctx, userId)
  return { message: 'Your password is changed. Sign in with the new one.' }
}

/** Whether a link that resets a password still holds, for the page it leads to. Fails with BAD_REQUEST. */
export async function checkPasswordReset(ctx: Ctx, { token }: ByToken): Promise<void> {
  await checkToken(ctx, token, 'RESET_PASSWORD')
}

/** Changes the caller's password by the present one. Every session ends at once, this one too: sign in again. Fails with VALIDATION_ERROR. */
export async function changePassword(ctx: Ctx, { currentPassword, newPassword }: PasswordChange): Promise<Said> {
  const { userId, email } = requireUser(ctx)
  await takeAttempt(ctx, { ...ofAccount, name: 'change password', most: 10 }, userId)
  const account = await findAccount(ctx, email)
  if (!(await isPassword(account?.passwordHash, currentPassword)))
    throw invalid('currentPassword', 'is not your present password', 'wrong_password')
  await requireUncommon(ctx, 'newPassword', newPassword)
  const passwordHash = await hashPassword(newPassword)
  await ctx.db.transaction((tx) => renew(ctx, tx, userId, passwordHash))
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  await announceUser(ctx, userId)
  return { message: 'Your password is changed. Sign in with the new one.' }
}

async function renew(ctx: Ctx, tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  const account = await holdAccount(tx, userId)
  if (!account) throw new Failure('BAD_REQUEST', 'This account is gone.')
  await setPasswordHash(ctx, tx, userId, passwordHash)
  await endSessions(tx, userId)
  await dropTokensOf(tx, userId)
  await notify(ctx, { to: account.email, kind: 'password-changed', data: {} }, tx)
}
