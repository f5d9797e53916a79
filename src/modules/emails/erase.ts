import type { World } from '../../kit/world.ts'
import { dropContact } from '../contacts/contacts.ts'
import { eraseContactQueue } from '../contacts/shapes.ts'
import { type Erasure, eraseEvents } from '../events/erase.ts'
import { removeOfContact } from './sql.ts'

const mailsAtOnce = 1_000

/**
 * Removes what a deleted contact leaves behind, in batches: mails, log lines, at last its row. Safe to run again. While a
 * transaction from before the deletion is open the row stays, which hides what that may still add, and the work is
 * queued again.
 */
export async function eraseContact(
  world: Pick<World, 'db' | 'clock' | 'jobs'>,
  { projectId, contactId, erasureId }: Erasure & { contactId: string },
): Promise<void> {
  await removeMails(world, projectId, contactId)
  const seconds = await eraseEvents(world, { projectId, erasureId })
  if (seconds !== null) return world.jobs.enqueueIn(seconds, eraseContactQueue, { projectId, contactId, erasureId })
  // A mail that was accepted at the very moment of the deletion is there for all to see by now.
  await removeMails(world, projectId, contactId)
  await dropContact(world, { projectId, contactId })
}

async function removeMails({ db }: Pick<World, 'db'>, projectId: string, contactId: string): Promise<void> {
  for (let removed = mailsAtOnce; removed === mailsAtOnce; ) {
    const [batch] = await db.run(removeOfContact, [projectId, contactId, mailsAtOnce])
    removed = batch?.count ?? 0
  }
}
