import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { joinInvitedProjects } from '../../projects/members/invitations.ts'
import { hashPassword, requireUncommon } from '../../users/passwords.ts'
import type { UserDraft } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { addUser, lockAccount, recordVerified } from '../../users/users.ts'
import { openSession } from '../sessions/sessions.ts'
import type { ByToken, ResultMessage, SignedInUser } from '../shapes.ts'
import { type AttemptLimit, takeAttempt } from './attempts.ts'
import { checkToken, makeToken, redeemToken, tokenHours } from './tokens.ts'

const hourMs = 3_600_000
const perNetwork: AttemptLimit = {
  name: 'signup network',
  max: 100,
  windowMs: hourMs / 4,
  message: 'Too many sign-ups from this network: wait as many seconds as the Retry-After header says.',
}
const perUser: AttemptLimit = {
  name: 'verification',
  max: 3,
  windowMs: hourMs,
  message:
    'At most 3 verification emails are sent per hour: check your spam folder, or wait as many seconds as the Retry-After header says.',
}

/**
 * Creates an account, signs it in by setting the session cookie, and sends an email with a verification link. Fails with
 * SIGNUPS_DISABLED, CONFLICT when the address has an account, VALIDATION_ERROR, RATE_LIMIT_EXCEEDED after 100 attempts from
 * a network in 15 minutes.
 */
export async function signUp(ctx: Ctx, { email, password }: UserDraft): Promise<SignedInUser> {
  if (ctx.config.DISABLE_SIGNUPS) throw new Failure('SIGNUPS_DISABLED')
  await takeAttempt(ctx, perNetwork, networkOf(ctx.client.address))
  await requireUncommon(ctx, 'password', password)
  const passwordHash = await hashPassword(password)
  return ctx.db.transaction(async (tx) => {
    // An installation without outgoing email cannot send a verification link.
    const account = await addUser(ctx, tx, { email, passwordHash, emailVerified: !ctx.config.platformMail })
    if (!account.emailVerified) await sendVerification(ctx, tx, account)
    await openSession(ctx, account.id, tx)
    return { id: account.id, email }
  })
}

async function sendVerification(ctx: Ctx, tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  const token = await makeToken(ctx, tx, id, 'VERIFY_EMAIL')
  await notify(ctx, { to: email, kind: 'verify-email', data: { path: `/verify-email/${token}`, hours: tokenHours.VERIFY_EMAIL } }, tx)
}

/** Sends another verification link to the caller. Fails with RATE_LIMIT_EXCEEDED after 3 in an hour. */
export async function requestVerification(ctx: Ctx): Promise<ResultMessage> {
  const { userId: id, email, emailVerified } = requireUser(ctx)
  if (emailVerified) return { message: 'Your address is already confirmed.' }
  await takeAttempt(ctx, perUser, id)
  await ctx.db.transaction((tx) => sendVerification(ctx, tx, { id, email }))
  return { message: 'We have sent you an email: follow the link in it.' }
}

/**
 * Verifies an address with the token of a mailed link: the account also joins the projects its address was invited to. A link
 * works once: fails with BAD_REQUEST when it was used, has expired or is unknown.
 */
export async function verifyEmail(ctx: Ctx, { token }: ByToken): Promise<ResultMessage> {
  const userId = await ctx.db.transaction(async (tx) => {
    const id = await redeemToken(ctx, tx, token, 'VERIFY_EMAIL')
    await confirmAddress(ctx, tx, id)
    return id
  })
  await announceUser(ctx, userId)
  return { message: 'Your address is confirmed.' }
}

/** Marks the address of an account as verified, inside a transaction, and accepts the invitations to that address. */
export async function confirmAddress(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  const account = await lockAccount(tx, userId)
  if (!account) throw new Failure('BAD_REQUEST', 'This account does not exist any more.')
  await recordVerified(ctx, tx, userId)
  await joinInvitedProjects(ctx, tx, account)
}

/** Passes while a verification link is valid; the page it leads to calls this. Fails with BAD_REQUEST. */
export async function checkVerification(ctx: Ctx, { token }: ByToken): Promise<void> {
  await checkToken(ctx, token, 'VERIFY_EMAIL')
}
