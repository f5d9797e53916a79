import type { World } from '../../kit/world.ts'
import { dropContact } from '../contacts/contacts.ts'
import { eraseEvents } from '../events/erase.ts'
import { removeMails } from './sql.ts'

const mailsAtOnce = 1_000

/** Removes what a deleted contact leaves behind, in batches: mails, log lines, at last its row. Safe to run again. */
export async function eraseContact(
  world: Pick<World, 'db'>,
  { projectId, contactId, erasureId }: { projectId: string; contactId: string; erasureId: string },
): Promise<void> {
  for (let removed = mailsAtOnce; removed === mailsAtOnce; ) {
    const [batch] = await world.db.run(removeMails, [projectId, contactId, mailsAtOnce])
    removed = batch?.count ?? 0
  }
  await eraseEvents(world, { projectId, erasureId })
  await dropContact(world, { projectId, contactId })
}
