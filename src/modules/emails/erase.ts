import { statement } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { dropContact } from '../contacts/contacts.ts'
import { eraseEvents } from '../events/erase.ts'

const mailsAtOnce = 1_000

/** Removes one batch of a contact's mails, with the contents nobody else was sent and what the mailbox kept of them. */
const removeMails = statement<{ count: number }>(
  'emails_remove_of_contact',
  `with gone as (
     delete from emails where project_id = $1 and id in
       (select id from emails where project_id = $1 and contact_id = $2 order by id limit $3) returning id, content_id),
   shown as (delete from captured_mails where project_id = $1 and email_id in (select id from gone)),
   lonely as (
     delete from email_contents c where c.project_id = $1 and c.id in (select content_id from gone) and not exists
       (select 1 from emails e where e.project_id = $1 and e.content_id = c.id and e.id not in (select id from gone)))
   select count(*)::int as count from gone`,
)

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
