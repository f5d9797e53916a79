import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { leaveProjects } from '../../projects/members/members.ts'
import type { Account } from '../../users/shapes.ts'
import { announceUser } from '../../users/topics.ts'
import { lockAccount, recordVerified, removeAccount, setPasswordHash } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'
import { endSessions } from '../sessions/sessions.ts'
import { dropTokensOf } from './tokens.ts'

/** Deletes the caller's account with its sessions and memberships. Fails with CONFLICT while they are the last owner of a project. */
export async function deleteAccount(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx)
  await ctx.db.transaction(async (tx) => {
    await lockExisting(tx, userId)
    await leaveProjects(ctx, tx, userId)
    await removeAccount(tx, userId)
  })
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  await announceUser(ctx, userId)
}

/** Marks the address of an account as verified, inside a transaction; other links that verify it stop working. */
export async function confirmAddress(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  await lockExisting(tx, userId)
  await recordVerified(ctx, tx, userId)
  await dropTokensOf(tx, userId, 'VERIFY_EMAIL')
}

/** Sets a new password inside a transaction: every session and mailed link of the account ends, and its address is notified. */
export async function replacePassword(ctx: Ctx, tx: Transaction, userId: string, passwordHash: string): Promise<{ email: string }> {
  const account = await lockExisting(tx, userId)
  await setPasswordHash(ctx, tx, userId, passwordHash)
  await endSessions(tx, userId)
  await dropTokensOf(tx, userId)
  await notify(ctx, { to: account.email, kind: 'password-changed', data: {} }, tx)
  return { email: account.email }
}

/**
 * Locks an account inside a transaction and says whether it still has the password that was checked: what a right password
 * allows must not happen after the password was replaced.
 */
export async function stillHasPassword(tx: Transaction, { id, passwordHash }: Account): Promise<boolean> {
  const current = await lockAccount(tx, id)
  return current?.passwordHash === passwordHash
}

async function lockExisting(tx: Transaction, userId: string): Promise<{ email: string }> {
  const account = await lockAccount(tx, userId)
  if (!account) throw new Failure('BAD_REQUEST', 'This account does not exist any more.')
  return account
}
