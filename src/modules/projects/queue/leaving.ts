import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { hasQueue } from './sql.ts'

/**
 * Waits until no email of a project leaves any more, which may send nothing any more, or less than before; call it after that is known in
 * every process. Only one whose content is being handed to the mail server already leaves. Returns at once when none is queued.
 */
export async function untilNothingLeaves({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<void> {
  const [row] = await db.run(hasQueue, [projectId])
  if (row?.queued) await untilForgotten()
}

/** Waits until no worker acts any more on what it has read of a contact, an address or a domain before, which it does for a second at most. */
export function untilForgotten(): Promise<void> {
  return sleep(forgottenMs)
}

const forgottenMs = 1_200
