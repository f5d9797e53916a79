import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { EmailAddress } from '../../kit/shapes.ts'
import { dropTokensOf } from '../auth/accounts/links.ts'
import { confirmAddress } from '../auth/accounts/signup.ts'
import { endSessions, openSession } from '../auth/sessions/sessions.ts'
import { addIdentity, findUserOf, hasIdentity } from '../users/identities.ts'
import { announceUser } from '../users/topics.ts'
import { addUser, findAccount, holdAccount, setPasswordHash } from '../users/users.ts'
import type { Identity } from './provider.ts'
import { findMembership } from './sql.ts'

/** Who came back from which provider. */
export type Visitor = Identity & { provider: string; title: string }

/**
 * Signs in whoever a provider knows: with the account it was linked to, with the account of the verified address, which is
 * linked now, or with a new one. Fails with FORBIDDEN without a verified address, SIGNUPS_DISABLED for a new account that
 * nobody invited.
 */
export async function signInAs(ctx: Ctx, visitor: Visitor): Promise<void> {
  const { userId, changed } = await ctx.db.transaction(async (tx) => {
    const known = await findUserOf(tx, visitor)
    const user = known === null ? await link(ctx, tx, visitor) : { userId: known, changed: false }
    await openSession(ctx, user.userId, tx)
    return user
  })
  if (changed) await announceUser(ctx, userId)
}

async function link(
  ctx: Ctx,
  tx: Transaction,
  { provider, subject, title, ...given }: Visitor,
): Promise<{ userId: string; changed: boolean }> {
  const email = EmailAddress.safeParse(given.email ?? '').data
  if (email === undefined)
    throw new Failure('FORBIDDEN', `Your ${title} account has no verified primary address.`, {
      suggestion: `Verify your address at ${title}, then start again.`,
    })
  const there = await findAccount(ctx, email)
  const userId = there?.id ?? (await addUser(ctx, tx, { email, passwordHash: null, emailVerified: true })).id
  if (there) await takeOver(ctx, tx, userId)
  await confirmAddress(ctx, tx, userId)
  if (!there) await requireWelcome(ctx, tx, userId)
  await addIdentity(ctx, tx, { provider, subject, userId, email })
  return { userId, changed: there !== null }
}

/**
 * Whoever made an account without proving its address may not keep a way into it once the owner of the address comes.
 * Without mail of its own the installation has never asked anybody for that proof.
 */
async function takeOver(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  const account = await holdAccount(tx, userId)
  if (!account) throw new Failure('CONFLICT', 'This account is being removed.', { suggestion: 'Start again.' })
  if (account.emailVerified && (ctx.config.platformMail || (await hasIdentity(tx, userId)))) return
  await setPasswordHash(ctx, tx, userId, null)
  await endSessions(tx, userId)
  await dropTokensOf(tx, userId)
}

// Invitations to the address were taken a moment ago: without sign-ups they are what lets somebody in.
async function requireWelcome({ config }: Ctx, tx: Transaction, userId: string): Promise<void> {
  if (!config.DISABLE_SIGNUPS) return
  const [membership] = await tx.run(findMembership, [userId])
  if (!membership) throw new Failure('SIGNUPS_DISABLED')
}
