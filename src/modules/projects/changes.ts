import type { Ctx } from '../../kit/context.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { appendEvents } from '../events/log.ts'

/** The parts of a project whose changes the log records, without the caps of billing; the documents list them in this order. */
export const changedFields = [
  'name',
  'tracking',
  'language',
  'utm',
  'disabled',
  'reset',
  'keys',
  'webhookSecret',
  'members',
  'members.role',
  'invitations',
  'domains',
  'domains.status',
  'domains.warmUp',
] as const

/** A part of a project whose changes the log records. */
export type ChangedField = (typeof changedFields)[number] | `billingLimits.${string}`

/** Who made a change, as the log shows them. */
export interface ChangeActor {
  type: 'user' | 'key' | 'system'
  id?: string
}

/**
 * Records in the log who changed which fields of a project, as an event `project.changed`, if and only if the transaction
 * commits. Values are never recorded: they may be secret or personal. `by` is who made the change where it is not the caller.
 */
export async function recordChange(
  ctx: Pick<Ctx, 'clock' | 'notices'> & Partial<Pick<Ctx, 'actor'>>,
  tx: Transaction,
  { projectId, fields, by }: { projectId: string; fields: ChangedField[]; by?: ChangeActor },
): Promise<void> {
  if (fields.length === 0) return
  const actor = by ?? actorOfChange(ctx.actor)
  await appendEvents(tx, ctx, { projectId, at: ctx.clock.now(), lines: [{ name: 'project.changed', data: { actor, fields } }] })
}

/** A caller, as the log shows them; without one it is the system. */
export function actorOfChange(actor: Ctx['actor'] | undefined): ChangeActor {
  if (actor?.kind === 'user') return { type: 'user', id: actor.userId }
  return { type: actor?.kind === 'key' ? 'key' : 'system' }
}
