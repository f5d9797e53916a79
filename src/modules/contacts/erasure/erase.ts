import type { Ctx } from '../../../kit/context.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { contactDeletedQueue, eraseContactsQueue } from '../shapes.ts'
import { leaveSegments } from '../sql.ts'
import { queueDeletions, removeContacts, removeHidden, requeueErasures } from './sql.ts'

const contactsPerBatch = 1_000

/** Whether emails to a contact wait to be sent, or are being sent. */
export async function isWrittenTo(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<boolean> {
  return (await db.prisma.email.count({ where: { projectId, contactId, delivery: { isNot: null } }, take: 1 })) > 0
}

/** Some contacts of a project that were deleted. */
interface DeletedContacts {
  projectId: string
  contactIds: readonly string[]
}

/** Ends memberships that deleted contacts still have: those that began at the very moment of the deletion. */
export async function endMemberships({ db }: Pick<Ctx, 'db'>, { projectId, contactIds }: DeletedContacts): Promise<void> {
  await db.run(leaveSegments, [projectId, contactIds])
}

/** Lets what is under way for deleted contacts be ended: their executions of workflows. */
export async function endWorkOf({ db, jobs }: Pick<Ctx, 'db' | 'jobs'>, { projectId, contactIds }: DeletedContacts): Promise<void> {
  const queued = await db.run(queueDeletions, [projectId, contactIds])
  if (queued.length > 0) jobs.wake(contactDeletedQueue)
}

/** Deletes the rows of deleted contacts; call it once their emails and events are removed. */
export async function dropContacts({ db }: Pick<Ctx, 'db'>, { projectId, contactIds }: DeletedContacts): Promise<void> {
  await db.run(removeHidden, [projectId, contactIds])
}

/** Deletes one batch of a project's contacts, with any emails they still have; returns how many, 0 when none is left. */
export async function eraseSomeContacts(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContacts, [projectId, contactsPerBatch]))[0]?.count ?? 0
}

const staleAfterMs = 10 * 60_000
const contactsAtOnce = 2_000

/**
 * Queues the erasures of deleted contacts that have not ended within 10 minutes, 2,000 at most: their jobs failed too often, or were
 * lost. Safe beside an erasure that is under way. While 100 jobs of erasures wait it does nothing.
 */
export async function resumeErasures({ db, clock, jobs, log }: Pick<World, 'db' | 'clock' | 'jobs' | 'log'>): Promise<void> {
  const now = clock.now()
  const [queued] = await db.lookups.run(requeueErasures, [new Date(now.getTime() - staleAfterMs), now, contactsAtOnce])
  if (!queued?.count) return
  log.warn({ contacts: queued.count }, 'contacts: erasures that have not ended were queued again')
  jobs.wake(eraseContactsQueue)
}
