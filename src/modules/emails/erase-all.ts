import type { Executor } from '../../kit/postgres/db.ts'
import { contentsPerBatch, removeContents } from './sql.ts'

/** Removes one batch of the contents whose emails are removed, with their attachments; returns how many, 0 when none is left. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsPerBatch]))[0]?.count ?? 0
}
