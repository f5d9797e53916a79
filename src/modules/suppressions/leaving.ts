import type { Ctx } from '../../kit/context.ts'
import { untilForgotten, untilNothingLeaves } from '../projects/queue/leaving.ts'
import { findQueued } from './sql.ts'

/** Of how many addresses it is looked up whether emails to them are queued. */
export const maxLookedUp = 100

/**
 * Waits until no email to some addresses leaves any more that is withheld from them by now: a worker may have read a moment ago that it
 * is wanted. Only one whose content is being handed to the mail server already leaves. Returns at once when none is queued. Call it
 * after the change has committed. Of more than 100 addresses nobody is looked up: it waits when the project has any email queued.
 */
export async function untilWithheld({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, emails: string[]): Promise<void> {
  if (emails.length > maxLookedUp) return untilNothingLeaves({ db, projectId })
  const [row] = await db.run(findQueued, [projectId, emails])
  if (row?.queued) await untilForgotten()
}
