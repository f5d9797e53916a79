import { type Executor, isTransient } from '../../../kit/postgres/db.ts'
import type { ErasingDatabase } from '../../../kit/postgres/erase.ts'
import type { World } from '../../../kit/world.ts'
import { dropContacts, endMemberships, endWorkOf } from '../../contacts/erasure/erase.ts'
import { eraseContactQueue, eraseContactsQueue } from '../../contacts/shapes.ts'
import { type ContactErasure, eraseEventsOfContacts } from '../../events/erasure/erase.ts'
import { countUnlogged } from '../../security/count.ts'
import { type Remembering, rememberRemoved } from '../feedback/removed.ts'
import { contentsPerBatch } from '../sql.ts'
import {
  type ErasedEmail,
  findContactsWithEmails,
  isSending,
  lockEmailsOfContacts,
  removeCapturedEmails,
  removeContents,
  removeEmails,
  removeEmailsOfContacts,
  removeWaiting,
} from './sql.ts'

const emailsPerBatch = 1_000
// Until an email that is being sent has ended, and is counted.
const recordedSeconds = 2

/** Removes the data of a deleted contact, as `eraseContacts` does. */
export async function eraseContact(
  world: Pick<World, 'db' | 'clock' | 'jobs' | 'vault'>,
  { projectId, ...contact }: ContactErasure & { projectId: string },
): Promise<void> {
  const rest = await eraseTogether(world, projectId, [contact])
  if (rest.contacts.length > 0) await world.jobs.enqueueIn(rest.seconds, eraseContactQueue, { projectId, ...contact })
}

/**
 * Lets what is under way for deleted contacts be ended, and removes their data in batches: their emails, their log lines, memberships
 * that they still have, and finally their rows. Safe to run again. While a transaction from before a deletion is still open, the row of
 * the contact stays, because it hides what may still be added; the work is queued again. Where they cannot be removed together, each is
 * tried by itself.
 */
export async function eraseContacts(
  world: Pick<World, 'db' | 'clock' | 'jobs' | 'log' | 'vault'>,
  { projectId, contacts }: { projectId: string; contacts: ContactErasure[] },
): Promise<void> {
  try {
    const rest = await eraseTogether(world, projectId, contacts)
    if (rest.contacts.length > 0) await world.jobs.enqueueIn(rest.seconds, eraseContactsQueue, { projectId, contacts: rest.contacts })
  } catch (error) {
    if (isTransient(error)) throw error
    world.log.error({ err: error, projectId, contacts: contacts.length }, 'contacts: those deleted together are removed one by one')
    for (const contact of contacts) await world.jobs.enqueue(eraseContactQueue, { projectId, ...contact })
  }
}

// Returns those that are left, and in how many seconds to go on with them.
async function eraseTogether(
  world: Pick<World, 'db' | 'clock' | 'jobs' | 'vault'>,
  projectId: string,
  contacts: readonly ContactErasure[],
): Promise<{ contacts: ContactErasure[]; seconds: number }> {
  const contactIds = contacts.map(({ contactId }) => contactId)
  await endWorkOf(world, { projectId, contactIds })
  await removeEmailsOf(world, projectId, contactIds)
  const withEmails = new Set((await world.db.run(findContactsWithEmails, [projectId, contactIds])).map(({ contactId }) => contactId))
  const empty = contacts.filter(({ contactId }) => !withEmails.has(contactId))
  const { ended, seconds } = await eraseEventsOfContacts(world, projectId, empty)
  // An email accepted, or a membership that began, at the very moment of the deletion is visible by now.
  await removeEmailsOf(world, projectId, ended)
  await endMemberships(world, { projectId, contactIds: ended })
  await dropContacts(world, { projectId, contactIds: ended })
  const gone = new Set(ended)
  return {
    contacts: contacts.filter(({ contactId }) => !gone.has(contactId)),
    seconds: withEmails.size > 0 ? recordedSeconds : seconds,
  }
}

/** Removes one batch of the contents whose emails are removed, with their attachments; returns how many, 0 when none is left. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsPerBatch]))[0]?.count ?? 0
}

/** Removes one batch of a project's emails, and keeps what late reports about them need; returns how many, 0 when none is left. */
export async function eraseSomeEmails(world: Remembering & { db: ErasingDatabase }, projectId: string): Promise<number> {
  return world.db.transaction(async (tx) => {
    const gone = await tx.run(removeEmails, [projectId, 2 * emailsPerBatch])
    await remember(tx, world, { projectId, emails: gone })
    return gone.length
  })
}

/**
 * Takes one batch of the emails of a closed project out of the queue: those that nobody sends, and that have not left, as far as is known;
 * returns how many, 0 when none is left.
 */
export async function eraseSomeWaiting({ db }: { db: ErasingDatabase }, projectId: string): Promise<number> {
  return (await db.run(removeWaiting, [projectId, 10 * emailsPerBatch]))[0]?.count ?? 0
}

/** Whether emails of a project are being sent, of which it is not recorded yet what becomes of them. */
export async function isSendingAny({ db }: Pick<World, 'db'>, projectId: string): Promise<boolean> {
  return (await db.run(isSending, [projectId]))[0]?.found === true
}

// Those that are being sent stay, and those with lines that a reader of the log has not handled.
async function removeEmailsOf(world: Remembering & Pick<World, 'db'>, projectId: string, contactIds: readonly string[]): Promise<void> {
  const each = Math.ceil(emailsPerBatch / Math.max(1, contactIds.length))
  for (let removed = contactIds.length; removed > 0; ) {
    removed = await world.db.transaction(async (tx) => {
      const emails = (await tx.run(lockEmailsOfContacts, [projectId, contactIds, each])).map(({ id }) => id)
      const gone = await tx.run(removeEmailsOfContacts, [projectId, contactIds, emails])
      await remember(tx, world, { projectId, emails: gone })
      await tx.run(removeCapturedEmails, [projectId, gone.map(({ id }) => id)])
      return gone.length
    })
  }
}

// What may have left, but is not logged as sent, counts as sent: otherwise only what is reported of it would.
async function remember(
  tx: Executor,
  world: Remembering,
  { projectId, emails }: { projectId: string; emails: readonly ErasedEmail[] },
): Promise<void> {
  await rememberRemoved(tx, world, { projectId, emails })
  const sent = emails.filter((email) => email.leftAt && !email.sent).length
  if (sent > 0) await countUnlogged(tx, { projectId, at: world.clock.now(), sent })
}
