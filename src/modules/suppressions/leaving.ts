import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../kit/context.ts'
import { findQueued, hasQueue } from './sql.ts'

/** Of how many addresses it is looked up whether emails to them are queued. */
export const maxLookedUp = 100

/**
 * Waits until no email to some addresses leaves any more that is withheld from them by now: a worker may have read a moment ago that it
 * is wanted. Only one whose content is being handed to the mail server already leaves. Returns at once when none is queued. Call it
 * after the change has committed. Of more than 100 addresses nobody is looked up: it waits when the project has any email queued.
 */
export async function untilWithheld({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, emails: string[]): Promise<void> {
  const [row] = await (emails.length > maxLookedUp ? db.run(hasQueue, [projectId]) : db.run(findQueued, [projectId, emails]))
  if (row?.queued) await untilForgotten()
}

/** The same for all emails of a project, which may send nothing any more; call it after that is known in every process. */
export async function untilNothingLeaves({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<void> {
  const [row] = await db.run(hasQueue, [projectId])
  if (row?.queued) await untilForgotten()
}

/** Waits until no worker acts any more on what it has read of a contact or an address before, which it does for a second at most. */
export function untilForgotten(): Promise<void> {
  return sleep(forgottenMs)
}

const forgottenMs = 1_200
