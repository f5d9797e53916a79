import { requireUser } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { type Executor, isDuplicate } from '../../kit/postgres/db.ts'
import { hashPassword } from './passwords.ts'
import type { Account, User, UserDraft } from './shapes.ts'
import { findByEmail, insertUser, lockUser, markVerified, removeUser, replacePasswordHash } from './sql.ts'

/** Creates an account; only the argon2id hash of the password is stored. Fails with CONFLICT when the address has an account. */
export async function createUser(ctx: Ctx, { email, password }: UserDraft): Promise<User> {
  return shown(await addUser(ctx, ctx.db, { email, passwordHash: await hashPassword(ctx, password), emailVerified: false }))
}

/** Creates an account inside a transaction. Fails with CONFLICT when the address has an account. */
export async function addUser(
  { clock }: Pick<Ctx, 'clock'>,
  on: Executor,
  { email, passwordHash, emailVerified }: { email: string; passwordHash: string | null; emailVerified: boolean },
): Promise<Account> {
  const now = clock.now()
  try {
    const [created] = await on.run(insertUser, [newId('user', now), email, passwordHash, emailVerified, now])
    return created as Account
  } catch (error) {
    if (isDuplicate(error)) throw addressTaken()
    throw error
  }
}

/** The failure of creating an account for an address that has one. */
export function addressTaken(): Failure {
  return new Failure('CONFLICT', 'There is already an account with this address.')
}

/** The account of an address, with the hash of its password, or null. */
export async function findAccount({ db }: { db: Executor }, email: string): Promise<Account | null> {
  const [found] = await db.run(findByEmail, [email])
  return found ?? null
}

/** Locks an account until the transaction ends, so that nobody else changes it; null when it does not exist. */
export async function lockAccount(on: Executor, id: string): Promise<Account | null> {
  const [found] = await on.run(lockUser, [id])
  return found ?? null
}

/** Locks an account, as lockAccount does. Fails with UNAUTHORIZED when it has been deleted. */
export async function requireAccount(on: Executor, id: string): Promise<void> {
  if (!(await lockAccount(on, id))) throw new Failure('UNAUTHORIZED', 'This account does not exist any more.')
}

/** Records that the user has verified the address of the account. */
export async function recordVerified({ clock }: Pick<Ctx, 'clock'>, on: Executor, userId: string): Promise<void> {
  await on.run(markVerified, [userId, clock.now()])
}

/** Replaces the password hash; null leaves the account without a password. */
export async function setPasswordHash({ clock }: Pick<Ctx, 'clock'>, on: Executor, userId: string, hash: string | null): Promise<void> {
  await on.run(replacePasswordHash, [userId, hash, clock.now()])
}

/** Deletes an account with its sessions and memberships. */
export async function removeAccount(on: Executor, userId: string): Promise<void> {
  await on.run(removeUser, [userId])
}

/** The user who is signed in, or null. */
export async function findViewer(ctx: Ctx): Promise<User | null> {
  return ctx.actor.kind === 'user' ? getViewer(ctx) : null
}

/** The user who is signed in. Fails with UNAUTHORIZED for a call with an API key. */
export async function getViewer(ctx: Ctx): Promise<User> {
  const { userId: id, email, emailVerified } = requireUser(ctx)
  return { id, email, emailVerified }
}

function shown({ id, email, emailVerified }: Account): User {
  return { id, email, emailVerified }
}
