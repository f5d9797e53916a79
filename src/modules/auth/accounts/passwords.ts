import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { type Failure, invalid } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import { notify } from '../../notifications/notify.ts'
import {
  type AttemptLimit,
  attemptInTurn,
  countFailure,
  type LimitedSubject,
  requireAttemptsLeft,
  takeAttempt,
} from '../../users/attempts.ts'
import { hashPassword, isPassword, requireUncommon } from '../../users/passwords.ts'
import type { Account } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { findAccount } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'
import { requireOpen } from '../sessions/sessions.ts'
import {
  type ByToken,
  type PasswordChange,
  type PasswordReset,
  type PasswordResetJob,
  passwordResetQueue,
  type ResetRequest,
  type ResultMessage,
} from '../shapes.ts'
import { announceTaken, keysNote, replacePassword, stillHasPassword, takeAccount } from './account.ts'
import { followLink } from './links.ts'
import { checkToken, makeToken, redeemToken, tokenHours } from './tokens.ts'

const hourMs = 3_600_000
const message = 'Too many password resets were requested: check your spam folder.'
const perAccount: AttemptLimit = { name: 'reset', max: 3, windowMs: hourMs, message }
const perNetwork: AttemptLimit = { name: 'reset network', max: 100, windowMs: hourMs / 4, message }
const perUser: AttemptLimit = {
  name: 'change password',
  max: 10,
  windowMs: hourMs,
  message: 'The current password was wrong too often.',
}

/**
 * Sends a link that resets the password if the address has an account. The answer, and the time it takes, are the same if
 * it has none. Where the installation sends no emails of its own, it says so instead. Fails with RATE_LIMIT_EXCEEDED after 3 requests per hour for an address, or 100 per 15 minutes from a network.
 */
export async function requestPasswordReset(ctx: Ctx, { email }: ResetRequest): Promise<ResultMessage> {
  if (!ctx.config.platformMail)
    return { message: 'This installation sends no emails of its own, so it cannot send you a link: ask whoever runs it.' }
  await takeAttempt(ctx, perNetwork, networkOf(ctx.client.address))
  await takeAttempt(ctx, perAccount, email)
  await ctx.jobs.enqueue(passwordResetQueue, { email })
  return { message: 'If this address has an account, we have sent it an email with a link.' }
}

/** Sends the link of a requested password reset, if the address has an account. */
export async function sendPasswordReset(ctx: Ctx, { email }: PasswordResetJob): Promise<void> {
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
 * Sets a new password with the token of a mailed link, which also verifies the address. Every session of the account ends at
 * once, as do its links to accounts at providers, and if the address was not verified before, access to the projects that it owns is
 * renewed, as `takeAccount` says. A link works once: fails with BAD_REQUEST when it was used, has expired or is unknown,
 * RATE_LIMIT_EXCEEDED when it is called too often.
 */
export async function resetPassword(ctx: Ctx, { token, newPassword }: PasswordReset): Promise<ResultMessage> {
  await requireUncommon(ctx, 'newPassword', newPassword)
  const taken = await followLink(ctx, token, async () => {
    await checkToken(ctx, token, 'RESET_PASSWORD')
    const passwordHash = await hashPassword(ctx, newPassword)
    return ctx.db.transaction(async (tx) => {
      const id = await redeemToken(ctx, tx, token, 'RESET_PASSWORD')
      return takeAccount(ctx, tx, id, passwordHash)
    })
  })
  await announceTaken(ctx, taken)
  return { message: `Your password is changed. Sign in with the new one.${keysNote(taken)}` }
}

function wrongPassword(): Failure {
  return invalid('currentPassword', 'is not your current password', 'wrong_password')
}

/** Passes while a link that resets a password is valid; the page it leads to calls this. Fails with BAD_REQUEST. */
export async function checkPasswordReset(ctx: Ctx, { token }: ByToken): Promise<void> {
  await checkToken(ctx, token, 'RESET_PASSWORD')
}

/**
 * Changes the caller's password. Every session of the account ends at once, this one too. Fails with VALIDATION_ERROR when the
 * current password is wrong or was replaced meanwhile, UNAUTHORIZED when the session ended meanwhile, RATE_LIMIT_EXCEEDED after 10 failures in an hour.
 */
export async function changePassword(ctx: Ctx, { currentPassword, newPassword }: PasswordChange): Promise<ResultMessage> {
  const { userId, sessionId } = requireUser(ctx)
  const subject = [perUser, userId] as const
  await requireAttemptsLeft(ctx, [subject])
  await requireUncommon(ctx, 'newPassword', newPassword)
  await attemptInTurn(ctx, subject, async () => {
    const account = await checkCurrentPassword(ctx, subject, currentPassword)
    const passwordHash = await hashPassword(ctx, newPassword)
    await ctx.db.transaction(async (tx) => {
      if (!(await stillHasPassword(tx, account))) throw wrongPassword()
      await requireOpen(tx, sessionId)
      await replacePassword(ctx, tx, userId, passwordHash)
    })
  })
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  await announceUser(ctx, userId)
  return { message: 'Your password is changed. Sign in with the new one.' }
}

// A call before this one may have been the last that may fail, or have changed the password. Other processes may count failures at the
// same moment, so they are looked at again once the password was compared.
async function checkCurrentPassword(ctx: Ctx, subject: LimitedSubject, password: string): Promise<Account> {
  const { email, sessionId } = requireUser(ctx)
  await requireAttemptsLeft(ctx, [subject])
  await requireOpen(ctx.db, sessionId)
  const account = await findAccount(ctx, email)
  const matches = await isPassword(ctx, { passwordHash: account?.passwordHash, password })
  if (!account || !matches) {
    await countFailure(ctx, [subject])
    throw wrongPassword()
  }
  await requireAttemptsLeft(ctx, [subject])
  return account
}
