import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { type ContentDraft, contentRow, wakeDelivery } from './accept.ts'
import { acceptOfExecution } from './sql.ts'

/** An email that an execution of a workflow sends to its contact. */
export interface ExecutionEmail {
  projectId: string
  contactId: string
  executionId: string
  /** Another address than that of the contact. */
  to: string | null
  content: ContentDraft
}

/**
 * Accepts an email of an execution in its transaction, in the lane of workflows: it leaves if and only if that commits. The caller has
 * charged it. Returns null when the contact was deleted.
 */
export async function acceptExecutionEmail(
  tx: Transaction,
  world: Pick<World, 'clock' | 'jobs'>,
  { projectId, contactId, executionId, to, content }: ExecutionEmail,
): Promise<{ emailId: string; toAddress: string } | null> {
  const at = world.clock.now()
  const emailId = newId('email', at)
  const row = contentRow(content, { projectId, id: newId('content', at), at })
  const [accepted] = await tx.run(acceptOfExecution, [projectId, contactId, emailId, JSON.stringify([row]), executionId, to, at])
  if (!accepted) return null
  tx.afterCommit(() => wakeDelivery(world))
  return { emailId, ...accepted }
}
