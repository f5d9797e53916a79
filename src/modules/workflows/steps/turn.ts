import { lowestId } from '../../../kit/ids.ts'
import { isBehind } from './sql.ts'
import type { Visit } from './visit.ts'

// The reader of the log is seconds behind. If it stands still for days, what happened long before the moment does not hold the step up.
const maxUnreadMs = 24 * 60 * 60_000

/** The lowest id of an event that may still hold a step up which is over at a moment. */
export function lowestUnread(moment: Date): string {
  return lowestId('event', new Date(moment.getTime() - maxUnreadMs))
}

/**
 * Whether events of the contact up to a moment, at which a step is over by itself, have not been handled yet: one of them may end the
 * execution, and would have done so before if workers had had time.
 */
export async function hasUnhandled({ ctx: { db, projectId }, executionId }: Visit, moment: Date): Promise<boolean> {
  const [found] = await db.run(isBehind, [projectId, executionId, moment, lowestUnread(moment)])
  return found?.behind === true
}

const minPauseMs = 100
const maxPauseMs = 30_000

/**
 * When a step looks again whose turn has not come since a moment. Each pause is half as long as it has waited by then, so that it
 * follows soon what is handled soon, and many that wait behind a long backlog, or since before a clock was set back, cost little.
 */
export function nextLook({ now }: Pick<Visit, 'now'>, since: Date): Date {
  const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, Math.abs(now.getTime() - since.getTime()) / 2))
  return new Date(now.getTime() + Math.ceil(pauseMs))
}
