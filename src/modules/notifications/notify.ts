import type { Ctx } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import type { Executor, Transaction } from '../../kit/postgres/db.ts'
import { type Notification, notificationQueue } from './shapes.ts'
import { findAdmins } from './sql.ts'

/**
 * Queues an email of the installation to one of its users; in a transaction it is sent if and only if that commits. Nothing
 * is queued where the installation has no address to send from (`config.platformMail`).
 */
export async function notify(
  { config, clock, jobs }: Pick<Ctx, 'config' | 'clock' | 'jobs'>,
  { to, ...notification }: Notification & { to: string },
  tx?: Transaction,
): Promise<void> {
  if (!config.platformMail) return
  await jobs.enqueue(notificationQueue, { id: newId('notification', clock.now()), to, notification: notification as Notification }, tx)
}

/** The addresses of a project's owners and admins, at most 100, and the name of the project: those notified of its problems. */
export async function findProjectAdmins(on: Executor, projectId: string): Promise<{ email: string; projectName: string }[]> {
  return on.run(findAdmins, [projectId])
}
