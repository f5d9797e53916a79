import type { Ctx } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { topic } from '../../kit/notices.ts'
import type { Transaction } from '../../kit/postgres/db.ts'
import { appendLines, findUnsettled } from './sql.ts'

/** Notices of projects whose log has grown. */
export const eventsTopic = topic('events')

/** An event to write into the log. */
export interface LogLine {
  name: string
  contactId?: string | null
  emailId?: string | null
  data?: object | null
}

/** Events of a project that happened at a time. */
export interface LogLines {
  projectId: string
  at: Date
  lines: LogLine[]
}

/**
 * Writes events to the log in the caller's transaction, so that they exist if and only if its other changes do, and announces them
 * once it has committed.
 *
 * @returns the ids of the events, in order
 */
export async function appendEvents(tx: Transaction, world: Pick<Ctx, 'notices'>, { projectId, at, lines }: LogLines): Promise<string[]> {
  if (lines.length === 0) return []
  const ids = lines.map(() => newId('event', at))
  await tx.run(appendLines, [
    projectId,
    ids,
    lines.map(({ name }) => name),
    lines.map(({ contactId }) => contactId ?? null),
    lines.map(({ emailId }) => emailId ?? null),
    lines.map(({ data }) => (data ? JSON.stringify(data) : null)),
    at,
  ])
  tx.afterCommit(() => announceEvents(world, projectId))
  return ids
}

/** Notifies every process that the log of a project has grown, by a statement of its own: call it after the commit. */
export function announceEvents({ notices }: Pick<Ctx, 'notices'>, projectId: string): void {
  notices.publish(eventsTopic, projectId)
}

/** Whether the log has lines of a project that its readers cannot read yet: until every transaction that began before them has ended. */
export async function hasUnsettledEvents({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<boolean> {
  return (await db.run(findUnsettled, [projectId])).length > 0
}
