import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { invalid } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { type AttemptLimit, takeAttempt } from '../../users/attempts.ts'
import { hashPassword, requireUncommon } from '../../users/passwords.ts'
import type { ByToken, EmailVerification, ResultMessage } from '../shapes.ts'
import { announceTaken, confirmAddress, keysNote, takeAccount } from './account.ts'
import { followLink } from './links.ts'
import { checkToken, makeToken, redeemToken, tokenHours } from './tokens.ts'

const perUser: AttemptLimit = {
  name: 'verification',
  max: 3,
  windowMs: 3_600_000,
  message: 'At most 3 verification emails can be requested per hour: check your spam folder.',
}

/** Sends a link that verifies the address of an account, in a transaction; none where the installation sends no emails of its own. */
export async function sendVerification(ctx: Ctx, tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  if (!ctx.config.platformMail) return
  const token = await makeToken(ctx, tx, id, 'VERIFY_EMAIL')
  await notify(ctx, { to: email, kind: 'verify-email', data: { path: `/verify-email/${token}`, hours: tokenHours.VERIFY_EMAIL } }, tx)
}

/** Sends another verification link to the caller, or says why none is needed. Fails with RATE_LIMIT_EXCEEDED after 3 calls in an hour: the email of the sign-up does not count. */
export async function requestVerification(ctx: Ctx): Promise<ResultMessage> {
  const { userId: id, email, emailVerified } = requireUser(ctx)
  if (emailVerified) return { message: 'Your address is already confirmed.' }
  if (!ctx.config.platformMail) return { message: 'This installation sends no emails of its own, so nobody has to confirm an address.' }
  await takeAttempt(ctx, perUser, id)
  await ctx.db.transaction((tx) => sendVerification(ctx, tx, { id, email }))
  return { message: 'We have sent you an email: follow the link in it.' }
}

/**
 * Verifies an address with the token of a mailed link. Without a session of the account it sets a new password, ends every session
 * and, if the address was not verified before, renews the access to the projects that it owns, as `takeAccount` says. A link works
 * once: fails with BAD_REQUEST when it was used, has expired or is unknown, VALIDATION_ERROR without a new password,
 * RATE_LIMIT_EXCEEDED when it is called too often.
 */
export async function verifyEmail(ctx: Ctx, { token, newPassword }: EmailVerification): Promise<ResultMessage> {
  const verified = await followLink(ctx, token, async () => {
    const { needsPassword } = await openVerification(ctx, { token })
    const passwordHash = needsPassword ? await hashOf(ctx, newPassword) : undefined
    return ctx.db.transaction(async (tx) => {
      const id = await redeemToken(ctx, tx, token, 'VERIFY_EMAIL')
      if (passwordHash !== undefined) return { ...(await takeAccount(ctx, tx, id, passwordHash)), isPasswordSet: true }
      await confirmAddress(ctx, tx, id)
      return { userId: id, rotated: [], isPasswordSet: false }
    })
  })
  await announceTaken(ctx, verified)
  if (!verified.isPasswordSet) return { message: 'Your address is confirmed.' }
  return { message: `Your address is confirmed and your password is set: sign in with it.${keysNote(verified)}` }
}

async function hashOf(ctx: Ctx, newPassword: string | undefined): Promise<string> {
  if (newPassword === undefined)
    throw invalid('newPassword', 'is required unless you are signed in to the account that is verified', 'required')
  await requireUncommon(ctx, 'newPassword', newPassword)
  return hashPassword(ctx, newPassword)
}

/** What a verification link still needs: a new password, unless the call has a session of its account. Fails with BAD_REQUEST when it is not valid. */
export async function openVerification(ctx: Ctx, { token }: ByToken): Promise<{ needsPassword: boolean }> {
  const userId = await checkToken(ctx, token, 'VERIFY_EMAIL')
  return { needsPassword: ctx.actor.kind !== 'user' || ctx.actor.userId !== userId }
}
