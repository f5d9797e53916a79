import type { Ctx } from '../../kit/context.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { contactDeletedQueue, type DeletedContact } from './shapes.ts'
import { leaveSegments, queueDeletion, removeContact, removeContacts } from './sql.ts'

const contactsPerBatch = 2_000

/** Whether emails to a contact wait to be sent, or are being sent. */
export async function isWrittenTo(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<boolean> {
  return (await db.prisma.email.count({ where: { projectId, contactId, delivery: { isNot: null } }, take: 1 })) > 0
}

/** Ends memberships that a deleted contact still has: those that began at the very moment of the deletion. */
export async function endMemberships(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<void> {
  await db.run(leaveSegments, [projectId, [contactId]])
}

/** Lets what is under way for a deleted contact be ended: its executions of workflows. */
export async function endWorkOf({ db, jobs }: Pick<Ctx, 'db' | 'jobs'>, { projectId, contactId }: DeletedContact): Promise<void> {
  const queued = await db.run(queueDeletion, [projectId, contactId])
  if (queued.length > 0) jobs.wake(contactDeletedQueue)
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
