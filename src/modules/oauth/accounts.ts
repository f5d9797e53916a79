import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { isDuplicate, type Transaction } from '../../kit/postgres/db.ts'
import { EmailAddress } from '../../kit/shapes.ts'
import { confirmAddress } from '../auth/accounts/account.ts'
import { dropTokensOf } from '../auth/accounts/tokens.ts'
import { endSessions, isOpen, newSession, openSession } from '../auth/sessions/sessions.ts'
import { isInvited } from '../projects/members/acceptance.ts'
import { endEarlierAccess } from '../projects/members/take-over.ts'
import { announceKeys } from '../projects/projects.ts'
import { addIdentity, findUserOf, hasOtherIdentity, removeIdentities } from '../users/identities.ts'
import type { Account } from '../users/shapes.ts'
import { announceUser } from '../users/topics.ts'
import { addUser, findAccount, lockAccount, setPasswordHash } from '../users/users.ts'
import type { ProviderProfile } from './provider.ts'

/** The profile of a user at the provider they have signed in with. */
export type ExternalUser = ProviderProfile & { provider: string; title: string }

/**
 * Signs in the user of a provider account: with the linked account, or else with the account of the verified address, which
 * is linked now, or else with a new account. Of several at the same moment the first links, and the others sign in with what it
 * has linked. Fails with FORBIDDEN without a verified address, or when the account of the address is linked to another account at the
 * provider, SIGNUPS_DISABLED when a new account would be needed and the address was not invited.
 */
export async function signInAs(ctx: Ctx, external: ExternalUser): Promise<void> {
  const session = await newSession(ctx)
  const signIn = () =>
    ctx.db.transaction(async (tx) => {
      const linked = await lockLinked(tx, external)
      const user = linked === null ? await link(ctx, tx, external) : { userId: linked, changed: false, rotated: [] }
      await openSession(ctx, tx, { session, userId: user.userId })
      return user
    })
  const { userId, changed, rotated } = await againAfterOthers(signIn)
  if (changed) await announceUser(ctx, userId)
  await announceKeys(ctx, rotated)
}

const attempts = 3

// What another sign-in, a sign-up or a deletion did between the look-up and the writing is seen by the next look-up.
async function againAfterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLate = isDuplicate(error) || (error instanceof Failure && error.code === 'CONFLICT')
      if (!isLate || attempt >= attempts) throw error
    }
  }
}

interface Linked {
  userId: string
  changed: boolean
  rotated: string[]
}

async function lockLinked(tx: Transaction, external: ExternalUser): Promise<string | null> {
  const linked = await findUserOf(tx, external)
  if (linked === null) return null
  await lockExisting(tx, linked)
  // A reset of the password that was waited for has removed the link.
  return (await findUserOf(tx, external)) === linked ? linked : null
}

async function link(ctx: Ctx, tx: Transaction, { provider, subject, title, ...profile }: ExternalUser): Promise<Linked> {
  const email = EmailAddress.safeParse(profile.email ?? '').data
  if (email === undefined)
    throw new Failure('FORBIDDEN', `Your ${title} account has no verified primary address.`, {
      suggestion: `Verify your address at ${title}, then try again.`,
    })
  // In the transaction: who holds a connection and waits for another one may wait for others that do the same.
  const existing = await findAccount({ db: tx }, email)
  if (!existing) await requireInvitation(ctx, tx, email)
  const userId = existing?.id ?? (await addUser(ctx, tx, { email, passwordHash: null, emailVerified: true })).id
  const rotated = existing ? await removeEarlierAccess(ctx, tx, { id: userId, email, title }) : []
  if (await hasOtherIdentity(tx, { provider, subject, userId })) throw linkedToAnother(ctx, title)
  await confirmAddress(ctx, tx, userId)
  await addIdentity(ctx, tx, { provider, subject, userId, email })
  return { userId, changed: existing !== null, rotated }
}

/**
 * Removes the password, sessions, tokens and linked provider accounts of an account whose address was never verified, and ends the
 * access of others to the projects it owns, which it returns: it may have been created by somebody else than the owner of the address,
 * who signs in now. Whoever has a session of the account is the one who created it, and keeps everything. Where nobody can verify an
 * address, because the installation sends no emails of its own, most such accounts are those of the right person: there it fails with
 * FORBIDDEN when it would replace keys.
 */
async function removeEarlierAccess(ctx: Ctx, tx: Transaction, { title, ...user }: Owner): Promise<string[]> {
  const account = await lockExisting(tx, user.id)
  if (account.emailVerified || (await hasSessionOf(ctx, tx, user.id))) return []
  await setPasswordHash(ctx, tx, user.id, null)
  await endSessions(tx, user.id)
  await dropTokensOf(tx, user.id)
  await removeIdentities(tx, user.id)
  const rotated = await endEarlierAccess(ctx, tx, user)
  if (rotated.length > 0 && !ctx.config.platformMail) throw notProved(title)
  return rotated
}

interface Owner {
  id: string
  email: string
  /** Of the provider that vouches for the address. */
  title: string
}

function notProved(title: string): Failure {
  return new Failure('FORBIDDEN', 'There is an account with your address that signs in with a password.', {
    suggestion: `Sign in with its password first, then with ${title} in the same browser: that links them, and keeps the keys of its projects. If you do not know it, ask whoever runs this installation.`,
  })
}

// The account is locked: a session that is still there has not been ended by whoever had the lock before.
async function hasSessionOf({ actor }: Ctx, tx: Transaction, userId: string): Promise<boolean> {
  return actor.kind === 'user' && actor.userId === userId && (await isOpen(tx, actor.sessionId))
}

// Providers never change the id of an account, so another one may be of another person, to whom the address was given.
function linkedToAnother({ config }: Ctx, title: string): Failure {
  const suggestion = config.platformMail
    ? `Sign in with that one. If the address is yours and that account is not, reset the password by email: this removes the link, and then ${title} signs you in.`
    : 'Sign in with that one, or ask whoever runs this installation.'
  return new Failure('FORBIDDEN', `The account of your address is linked to another ${title} account.`, { suggestion })
}

async function lockExisting(tx: Transaction, userId: string): Promise<Account> {
  const account = await lockAccount(tx, userId)
  if (!account) throw new Failure('CONFLICT', 'This account is being deleted.', { suggestion: 'Try again.' })
  return account
}

// Where sign-ups are disabled, a new account needs an invitation, which it can then accept.
async function requireInvitation(ctx: Ctx, tx: Transaction, email: string): Promise<void> {
  if (ctx.config.DISABLE_SIGNUPS && !(await isInvited(ctx, tx, email))) throw new Failure('SIGNUPS_DISABLED')
}
