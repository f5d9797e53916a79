import type { Executor } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { removeContents } from './sql.ts'

// Each may carry megabytes of attachments.
const contentsAtOnce = 200

/** Removes one batch of a project's mails; answers how many, 0 when none is left. */
export const eraseSomeEmails = eraser('emails', 'id', 2_000)

/** Removes one batch of what the mailbox kept of a project; answers how many, 0 when none is left. */
export const eraseSomeCaptured = eraser('captured_mails', 'id', contentsAtOnce)

/** Forgets the sending rate of a project that is deleted; answers how many rows. */
export const eraseSendBucket = eraser('send_buckets', 'project_id', 1)

/** Removes one batch of what was sent by mails that are gone, with its attachments; answers how many, 0 when none is left. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsAtOnce]))[0]?.count ?? 0
}
