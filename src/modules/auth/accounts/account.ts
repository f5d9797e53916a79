import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { leaveProjects } from '../../projects/members/members.ts'
import { requireSignedIn } from '../../projects/members/rights.ts'
import { endEarlierAccess } from '../../projects/members/take-over.ts'
import { announceKeys } from '../../projects/projects.ts'
import { removeIdentities } from '../../users/identities.ts'
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
    await requireSignedIn(ctx, tx)
    await leaveProjects(ctx, tx, userId)
    await removeAccount(tx, userId)
  })
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  await announceUser(ctx, userId)
}

/** An account that was given to whoever received a link at its address, and the projects whose keys were replaced. */
export interface TakenAccount {
  userId: string
  rotated: string[]
}

/**
 * Gives an account to whoever received a link at its address, inside a transaction: the address is verified, the password is new, every
 * session and mailed link of the account ends, and it is no longer linked to accounts at providers, which may be those of somebody who
 * had the address before. If the address was not verified before, the keys and webhook secrets of the projects that the account owns are
 * replaced and their invitations revoked: it may have been created by somebody else, who must not be left with access to a verified one.
 * Call `announceTaken` with the result once the transaction has committed.
 */
export async function takeAccount(ctx: Ctx, tx: Transaction, userId: string, passwordHash: string): Promise<TakenAccount> {
  const { wasVerified } = await confirmAddress(ctx, tx, userId)
  const { email } = await replacePassword(ctx, tx, userId, passwordHash)
  await removeIdentities(tx, userId)
  return { userId, rotated: wasVerified ? [] : await endEarlierAccess(ctx, tx, { id: userId, email }) }
}

/** When it returns, the earlier sessions of an account and the replaced keys are refused in every process. */
export async function announceTaken(ctx: Ctx, { userId, rotated }: TakenAccount): Promise<void> {
  await announceUser(ctx, userId)
  await announceKeys(ctx, rotated)
}

/** What the answer to a link adds to its message: that keys and secrets were replaced, or nothing. */
export function keysNote({ rotated }: TakenAccount): string {
  return rotated.length > 0
    ? ' The API keys and webhook secrets of the projects of this account were replaced, and invitations to them revoked.'
    : ''
}

/**
 * Marks the address of an account as verified, inside a transaction; other links that verify it stop working. Returns whether it was
 * verified before.
 */
export async function confirmAddress(ctx: Ctx, tx: Transaction, userId: string): Promise<{ wasVerified: boolean }> {
  const { emailVerified: wasVerified } = await lockExisting(tx, userId)
  await recordVerified(ctx, tx, userId)
  await dropTokensOf(tx, userId, 'VERIFY_EMAIL')
  return { wasVerified }
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

async function lockExisting(tx: Transaction, userId: string): Promise<Account> {
  const account = await lockAccount(tx, userId)
  if (!account) throw new Failure('BAD_REQUEST', 'This account does not exist any more.')
  return account
}
