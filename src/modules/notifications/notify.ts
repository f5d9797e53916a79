import type { Ctx } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import type { Executor, Transaction } from '../../kit/postgres/db.ts'
import { type Notice, noticeQueue } from './shapes.ts'
import { findAdmins } from './sql.ts'

/**
 * Queues a mail of the installation to one of its users; inside a transaction it is sent exactly when that commits. Where
 * the installation has no address to send from (`config.platformMail`), nothing is queued.
 */
export async function notify(
  { config, clock, jobs }: Pick<Ctx, 'config' | 'clock' | 'jobs'>,
  { to, ...notice }: Notice & { to: string },
  tx?: Transaction,
): Promise<void> {
  if (!config.platformMail) return
  await jobs.enqueue(noticeQueue, { id: newId('notification', clock.now()), to, notice: notice as Notice }, tx)
}

/** The addresses of a project's owners and admins, 100 at most, and the project's name: who is told of its troubles. */
export async function findAdminsToTell(on: Executor, projectId: string): Promise<{ email: string; projectName: string }[]> {
  return on.run(findAdmins, [projectId])
}
