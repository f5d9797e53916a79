import { requireRole, requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { requireAccount } from '../../users/users.ts'
import { lockKeys, lockMembership, lockSession } from './sql.ts'

/**
 * The same call with the rights that its caller has in this transaction, which stay until it ends: since the access was checked they
 * may have been removed, demoted or signed out, or their key replaced, and what they are doing could give them access again. Where
 * the project is locked as well, that comes first, as it does where rights end. Fails with RESOURCE_NOT_FOUND for who is not a member
 * any more, FORBIDDEN for who is not an admin or owner any more, UNAUTHORIZED, INVALID_API_KEY.
 */
export async function stillAdmin(ctx: Ctx, tx: Transaction): Promise<Ctx> {
  const now = await withPresentRights(ctx, tx)
  requireRole(now)
  return now
}

/** The same for what a person may also do about themselves, whatever their role is. */
export async function withPresentRights(ctx: Ctx, tx: Transaction): Promise<Ctx> {
  const { actor, projectId } = ctx
  if (actor.kind === 'key') await requireKey(tx, projectId, actor.hash)
  if (actor.kind !== 'user') return ctx
  const [membership] = await tx.run(lockMembership, [projectId, actor.userId])
  const [session] = await tx.run(lockSession, [actor.sessionId, actor.userId])
  if (!session) throw new Failure('UNAUTHORIZED')
  if (!membership) throw notFound()
  return { ...ctx, actor: { ...actor, role: membership.role } }
}

/**
 * The same for what somebody does without a project: the account of the call is locked, and its session has not ended. Fails with
 * UNAUTHORIZED.
 */
export async function requireSignedIn(ctx: Pick<Ctx, 'actor'>, tx: Transaction): Promise<void> {
  const { userId, sessionId } = requireUser(ctx)
  await requireAccount(tx, userId)
  const [session] = await tx.run(lockSession, [sessionId, userId])
  if (!session) throw new Failure('UNAUTHORIZED')
}

// Without a hash the program itself calls with the rights of a key.
async function requireKey(tx: Transaction, projectId: string, hash: string | undefined): Promise<void> {
  const keys = await tx.run(lockKeys, [projectId])
  if (hash !== undefined && !keys.some((key) => key.hash === hash)) throw new Failure('INVALID_API_KEY')
}
