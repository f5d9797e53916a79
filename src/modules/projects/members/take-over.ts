import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { recordChange } from '../changes.ts'
import { replaceKeysOf } from '../projects.ts'
import { selectOwned } from '../sql.ts'
import { renewWebhookSecret } from '../webhook-secrets.ts'
import { countOthers, deleteAllInvitations, lockProject } from './sql.ts'

/**
 * Ends the access that somebody else may have to the projects that a person owns, because that other one may have created the account:
 * their keys and the secrets of their webhooks are replaced, and all invitations to them revoked. The person is told so by a
 * notification, also how many other people are members, who stay. Returns those projects: call `announceKeys` with them once the
 * transaction has committed.
 */
export async function endEarlierAccess(ctx: Ctx, tx: Transaction, { id, email }: { id: string; email: string }): Promise<string[]> {
  const owned = await tx.run(selectOwned, [id])
  let members = 0
  for (const { projectId } of owned) {
    // Whoever accepts an invitation at the same moment does so before, and is counted, or finds none.
    if ((await tx.run(lockProject, [projectId])).length === 0) continue
    const revoked = await tx.run(deleteAllInvitations, [projectId])
    await replaceKeysOf(ctx, tx, projectId)
    await renewWebhookSecret(ctx, tx, projectId)
    const [others] = await tx.run(countOthers, [projectId, id])
    members += others?.count ?? 0
    await recordChange(ctx, tx, { projectId, fields: ['keys', 'webhookSecret', ...(revoked.length > 0 ? (['invitations'] as const) : [])] })
  }
  if (owned.length > 0) await notify(ctx, { to: email, kind: 'keys-replaced', data: { projects: owned.length, members } }, tx)
  return owned.map(({ projectId }) => projectId)
}
