import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { deleteIdentities, insertIdentity, selectIdentity, selectOtherIdentity } from './sql.ts'

/** The account of a user at an OAuth provider. */
export interface Identity {
  provider: string
  subject: string
}

/** The id of the user who is linked to a provider account, or null. */
export async function findUserOf(on: Executor, { provider, subject }: Identity): Promise<string | null> {
  const [found] = await on.run(selectIdentity, [provider, subject])
  return found?.userId ?? null
}

/** Links a provider account to a user. Fails with a violation of the unique constraint when it is linked already. */
export async function addIdentity(
  { clock }: Pick<Ctx, 'clock'>,
  on: Executor,
  { provider, subject, userId, email }: Identity & { userId: string; email: string },
): Promise<void> {
  await on.run(insertIdentity, [provider, subject, userId, email, clock.now()])
}

/** Whether a user is linked to another account at a provider than this one. */
export async function hasOtherIdentity(on: Executor, { provider, subject, userId }: Identity & { userId: string }): Promise<boolean> {
  return (await on.run(selectOtherIdentity, [userId, provider, subject])).length > 0
}

/** Removes the links of a user to all provider accounts: they sign in with them again only as new ones. */
export async function removeIdentities(on: Executor, userId: string): Promise<void> {
  await on.run(deleteIdentities, [userId])
}
