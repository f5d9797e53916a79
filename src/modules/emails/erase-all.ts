import type { Executor } from '../../kit/postgres/db.ts'
import { contentsAtOnce, removeContents } from './sql.ts'

/** Removes one batch of what was sent by mails that are gone, with its attachments; answers how many, 0 when none is left. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsAtOnce]))[0]?.count ?? 0
}
