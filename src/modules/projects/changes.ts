import type { Ctx } from '../../kit/context.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { announceEvents, appendEvents } from '../events/log.ts'

/** A part of a project whose changes the log records. */
export type ChangedField =
  | 'name'
  | 'tracking'
  | 'language'
  | 'disabled'
  | 'keys'
  | 'members'
  | 'members.role'
  | 'invitations'
  | 'domains'
  | 'domains.status'
  | `billingLimits.${string}`

/**
 * Records in the log who changed which fields of a project, as an event `project.changed`, if and only if the transaction
 * commits. Values are never recorded: they may be secret or personal. `userId` is who caused a change without being signed in.
 */
export async function recordChange(
  ctx: Pick<Ctx, 'actor' | 'clock' | 'notices'>,
  tx: Transaction,
  { projectId, fields, userId }: { projectId: string; fields: ChangedField[]; userId?: string },
): Promise<void> {
  if (fields.length === 0) return
  const actor = userId === undefined ? shown(ctx.actor) : { type: 'user', id: userId }
  await appendEvents(tx, projectId, ctx.clock.now(), [{ name: 'project.changed', data: { actor, fields } }])
  tx.afterCommit(() => announceEvents(ctx, projectId))
}

function shown(actor: Ctx['actor']): { type: 'user' | 'key' | 'system'; id?: string } {
  if (actor.kind === 'user') return { type: 'user', id: actor.userId }
  return { type: actor.kind === 'key' ? 'key' : 'system' }
}
