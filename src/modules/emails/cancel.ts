import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { getStoredEmail, type StoredEmail, shownEmail } from './emails.ts'
import { attemptMayHaveArrived } from './queue/waits.ts'
import { cancelUnqueued, lockOpenEmail, removeUnclaimed } from './sql.ts'

const beforeSent = 'It was cancelled before it was sent.'
const beforeAgain = `It was cancelled before it was attempted again. ${attemptMayHaveArrived}`

/**
 * Cancels an email that waits to be sent, or to be sent again: it does not leave after the answer. Fails with RESOURCE_NOT_FOUND, and
 * with CONFLICT once it is with the mail server or has ended.
 */
export async function cancelEmail(ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>, { id }: { id: string }): Promise<StoredEmail> {
  const { db, clock, projectId } = ctx
  await getStoredEmail(ctx, { id })
  const cancelled = await db.transaction(async (tx) => {
    if ((await tx.run(lockOpenEmail, [projectId, id])).length === 0) return []
    const [removed] = await tx.run(removeUnclaimed, [projectId, id])
    const { uncertain = false } = removed ?? {}
    return tx.run(cancelUnqueued, [projectId, id, uncertain ? beforeAgain : beforeSent, clock.now(), uncertain])
  })
  if (cancelled.length === 0)
    throw new Failure('CONFLICT', 'This email has ended, or is being handed to the mail server.', { suggestion: 'Look at its status.' })
  return getStoredEmail(ctx, { id })
}

/** The same, for REST: the email as it is shown. */
export async function cancelWaitingEmail(ctx: Ctx, input: { id: string }) {
  return shownEmail(await cancelEmail(ctx, input))
}
