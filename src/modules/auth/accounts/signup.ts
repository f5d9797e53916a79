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
import { addUser, holdAccount, recordVerified } from '../../users/users.ts'
import { openSession } from '../sessions/sessions.ts'
import type { ByToken, Said, SignedInUser } from '../shapes.ts'
import { type Allowed, takeAttempt } from './attempts.ts'
import { checkToken, makeToken, takeToken, tokenHours } from './links.ts'

const hourMs = 3_600_000
const ofNetwork: Allowed = {
  name: 'signup network',
  most: 100,
  windowMs: hourMs / 4,
  message: 'Too many new accounts from here: wait as many seconds as the Retry-After header says.',
}
const ofMails: Allowed = {
  name: 'verification',
  most: 3,
  windowMs: hourMs,
  message: 'Three mails an hour are enough: look into your spam folder, or wait.',
}

/**
 * Makes an account and signs it in: the session is in the cookie of the answer, and a mail with a link that proves the
 * address is on its way. Fails with SIGNUPS_DISABLED, CONFLICT when the address has an account, VALIDATION_ERROR,
 * RATE_LIMIT_EXCEEDED after 100 attempts from a network address in 15 minutes.
 */
export async function signUp(ctx: Ctx, { email, password }: UserDraft): Promise<SignedInUser> {
  if (ctx.config.DISABLE_SIGNUPS) throw new Failure('SIGNUPS_DISABLED')
  await takeAttempt(ctx, ofNetwork, networkOf(ctx.client.address))
  await requireUncommon(ctx, 'password', password)
  const passwordHash = await hashPassword(password)
  return ctx.db.transaction(async (tx) => {
    // Without mail of its own the installation cannot ask for a proof.
    const account = await addUser(ctx, tx, { email, passwordHash, emailVerified: !ctx.config.platformMail })
    if (!account.emailVerified) await mailVerification(ctx, tx, account)
    await openSession(ctx, account.id, tx)
    return { id: account.id, email }
  })
}

async function mailVerification(ctx: Ctx, tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  const token = await makeToken(ctx, tx, id, 'VERIFY_EMAIL')
  await notify(ctx, { to: email, kind: 'verify-email', data: { path: `/verify-email/${token}`, hours: tokenHours.VERIFY_EMAIL } }, tx)
}

/** Sends the mail that proves the caller's address once more. Fails with RATE_LIMIT_EXCEEDED after 3 in an hour. */
export async function requestVerification(ctx: Ctx): Promise<Said> {
  const { userId: id, email, emailVerified } = requireUser(ctx)
  if (emailVerified) return { message: 'Your address is confirmed already.' }
  await takeAttempt(ctx, ofMails, id)
  await ctx.db.transaction((tx) => mailVerification(ctx, tx, { id, email }))
  return { message: 'We have sent you a mail: follow the link in it.' }
}

/**
 * Takes the proof of an address: the account counts as confirmed, and joins the projects its address was invited to.
 * Works once a link; fails with BAD_REQUEST when it was used, is over or unknown.
 */
export async function verifyEmail(ctx: Ctx, { token }: ByToken): Promise<Said> {
  const userId = await ctx.db.transaction(async (tx) => {
    const id = await takeToken(ctx, tx, token, 'VERIFY_EMAIL')
    await confirmAddress(ctx, tx, id)
    return id
  })
  await announceUser(ctx, userId)
  return { message: 'Your address is confirmed.' }
}

/** Records, inside a transaction, that an address was proved, and takes the invitations that wait for it. */
export async function confirmAddress(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  const account = await holdAccount(tx, userId)
  if (!account) throw new Failure('BAD_REQUEST', 'This account is gone.')
  await recordVerified(ctx, tx, userId)
  await joinInvitedProjects(ctx, tx, account)
}

/** Whether a link that proves an address still holds, for the page it leads to. Fails with BAD_REQUEST. */
export async function checkVerification(ctx: Ctx, { token }: ByToken): Promise<void> {
  await checkToken(ctx, token, 'VERIFY_EMAIL')
}
