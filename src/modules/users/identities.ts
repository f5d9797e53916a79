import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { insertIdentity, selectAny, selectIdentity } from './sql.ts'

/** Somebody's account at another provider. */
export interface Identity {
  provider: string
  subject: string
}

/** The id of the user an account at another provider opens, or null. */
export async function findUserOf(on: Executor, { provider, subject }: Identity): Promise<string | null> {
  const [found] = await on.run(selectIdentity, [provider, subject])
  return found?.userId ?? null
}

/** Lets an account at another provider open a user's account. Hits the unique constraint when it opens one already. */
export async function addIdentity(
  { clock }: Pick<Ctx, 'clock'>,
  on: Executor,
  { provider, subject, userId, email }: Identity & { userId: string; email: string },
): Promise<void> {
  await on.run(insertIdentity, [provider, subject, userId, email, clock.now()])
}

/** Whether any other provider opens a user's account. */
export async function hasIdentity(on: Executor, userId: string): Promise<boolean> {
  return (await on.run(selectAny, [userId])).length > 0
}
