import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { leaveSegments, removeContact, removeContacts } from './sql.ts'

const contactsPerBatch = 2_000

/** Ends memberships that a deleted contact still has: those that began at the very moment of the deletion. */
export async function endMemberships(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<void> {
  await db.run(leaveSegments, [projectId, [contactId]])
}

/** Deletes the row of a deleted contact; call it once the contact's emails and events are removed. */
export async function dropContact(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<void> {
  await db.run(removeContact, [projectId, contactId])
}

/** Deletes one batch of a project's contacts, with any emails they still have; returns how many, 0 when none is left. */
export async function eraseSomeContacts(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContacts, [projectId, contactsPerBatch]))[0]?.count ?? 0
}
