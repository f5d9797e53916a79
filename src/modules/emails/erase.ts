import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { dropContact, endMemberships, endWorkOf } from '../contacts/erase.ts'
import { eraseContactQueue } from '../contacts/shapes.ts'
import { type Erasure, eraseEvents } from '../events/erase.ts'
import { contentsPerBatch, lockEmailsOfContact, removeCapturedEmails, removeContents, removeEmails, removeEmailsOfContact } from './sql.ts'

const emailsPerBatch = 1_000
// Until an email that is being sent has ended, and is counted.
const recordedSeconds = 2

/**
 * Lets what is under way for a deleted contact be ended, and removes its data in batches: its emails, its log lines, memberships that
 * it still has, and finally its row. Safe to run again. While a transaction from before the deletion is still open, the row stays,
 * because it hides what may still be added; the work is queued again.
 */
export async function eraseContact(
  world: Pick<World, 'db' | 'clock' | 'jobs'>,
  { projectId, contactId, erasureId }: Erasure & { contactId: string },
): Promise<void> {
  await endWorkOf(world, { projectId, contactId })
  const isEmpty = await removeEmailsOf(world, projectId, contactId)
  const seconds = isEmpty ? await eraseEvents(world, { projectId, erasureId }) : recordedSeconds
  if (seconds !== null) return world.jobs.enqueueIn(seconds, eraseContactQueue, { projectId, contactId, erasureId })
  // An email accepted, or a membership that began, at the very moment of the deletion is visible by now.
  await removeEmailsOf(world, projectId, contactId)
  await endMemberships(world, { projectId, contactId })
  await dropContact(world, { projectId, contactId })
}

/** Removes one batch of the contents whose emails are removed, with their attachments; returns how many, 0 when none is left. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsPerBatch]))[0]?.count ?? 0
}

/** Removes one batch of a project's emails; returns how many, 0 when none is left. */
export async function eraseSomeEmails(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeEmails, [projectId, 2 * emailsPerBatch]))[0]?.count ?? 0
}

// Returns whether none is left.
async function removeEmailsOf({ db }: Pick<World, 'db'>, projectId: string, contactId: string): Promise<boolean> {
  let isEmpty = true
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    const batch = await db.transaction(async (tx) => {
      const emails = (await tx.run(lockEmailsOfContact, [projectId, contactId, from, emailsPerBatch])).map(({ id }) => id)
      const removed = (await tx.run(removeEmailsOfContact, [projectId, contactId, emails])).map(({ id }) => id)
      await tx.run(removeCapturedEmails, [projectId, removed])
      return { emails, removed }
    })
    isEmpty &&= batch.removed.length === batch.emails.length
    after = batch.emails.length === emailsPerBatch ? batch.emails.at(-1) : undefined
  }
  return isEmpty
}
