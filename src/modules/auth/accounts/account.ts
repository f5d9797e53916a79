import { requireUser } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { leaveProjects } from '../../projects/members/members.ts'
import { announceUser } from '../../users/topics.ts'
import { removeAccount } from '../../users/users.ts'
import { clearedCookie } from '../sessions/cookie.ts'

/** Deletes the caller's account with its sessions and memberships. Fails with CONFLICT while they are the last owner of a project. */
export async function deleteAccount(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx)
  await ctx.db.transaction(async (tx) => {
    await leaveProjects(ctx, tx, userId)
    await removeAccount(tx, userId)
  })
  ctx.answer.cookies = [clearedCookie(ctx.world)]
  await announceUser(ctx, userId)
}
