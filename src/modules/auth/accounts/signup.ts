import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import { type AttemptLimit, takeAttempt } from '../../users/attempts.ts'
import { hashPassword, requireUncommon } from '../../users/passwords.ts'
import type { UserDraft } from '../../users/shapes.ts'
import { addressTaken, addUser, findAccount } from '../../users/users.ts'
import { newSession, openSession } from '../sessions/sessions.ts'
import type { SignedInUser } from '../shapes.ts'
import { sendVerification } from './verification.ts'

const hourMs = 3_600_000
const perNetwork = (max: number): AttemptLimit => ({
  name: 'signup network',
  max,
  windowMs: hourMs,
  message: 'Too many sign-ups from this network.',
})

/**
 * Creates an account, signs it in by setting the session cookie, and sends an email with a verification link, where the installation
 * sends emails of its own. Its address is not verified before that link is followed. Fails with SIGNUPS_DISABLED, CONFLICT when the
 * address has an account, VALIDATION_ERROR, RATE_LIMIT_EXCEEDED after SIGNUPS_PER_HOUR attempts from a client address (IPv6: its /64 network).
 */
export async function signUp(ctx: Ctx, { email, password }: UserDraft): Promise<SignedInUser> {
  if (ctx.config.DISABLE_SIGNUPS) throw new Failure('SIGNUPS_DISABLED')
  await takeAttempt(ctx, perNetwork(ctx.config.SIGNUPS_PER_HOUR), networkOf(ctx.client.address))
  await requireUncommon(ctx, 'password', password)
  // Again when it is added, because somebody else may add it meanwhile.
  if (await findAccount(ctx, email)) throw addressTaken()
  const session = await newSession(ctx)
  const passwordHash = await hashPassword(ctx, password)
  return ctx.db.transaction(async (tx) => {
    const account = await addUser(ctx, tx, { email, passwordHash, emailVerified: false })
    await sendVerification(ctx, tx, account)
    await openSession(ctx, tx, { session, userId: account.id })
    return { id: account.id, email }
  })
}
