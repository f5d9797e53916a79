import { type Executor, statement } from '../../kit/db.ts'

const mailsAtOnce = 2_000
// Each may carry megabytes of attachments.
const contentsAtOnce = 200

const removeMails = statement<{ count: number }>(
  'emails_remove_some',
  `with gone as (
     delete from emails where project_id = $1 and id in (select id from emails where project_id = $1 order by id limit $2) returning id)
   select count(*)::int as count from gone`,
)

const removeContents = statement<{ count: number }>(
  'emails_remove_some_contents',
  `with gone as (
     delete from email_contents where project_id = $1 and id in
       (select c.id from email_contents c where c.project_id = $1
          and not exists (select from emails e where e.project_id = $1 and e.content_id = c.id) order by c.id limit $2)
     returning id)
   select count(*)::int as count from gone`,
)

const removeCaptured = statement<{ count: number }>(
  'emails_remove_some_captured',
  `with gone as (
     delete from captured_mails where project_id = $1 and id in (select id from captured_mails where project_id = $1 limit $2) returning id)
   select count(*)::int as count from gone`,
)

/** Removes one batch of a project's mails; answers how many, 0 when none is left. */
export async function eraseSomeEmails(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeMails, [projectId, mailsAtOnce]))[0]?.count ?? 0
}

/** Removes one batch of what was sent by mails that are gone, with its attachments; answers how many. */
export async function eraseSomeContents(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContents, [projectId, contentsAtOnce]))[0]?.count ?? 0
}

/** Removes one batch of what the mailbox kept of a project; answers how many. */
export async function eraseSomeCaptured(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeCaptured, [projectId, contentsAtOnce]))[0]?.count ?? 0
}

const removeBucket = statement<{ count: number }>(
  'emails_remove_bucket',
  'with gone as (delete from send_buckets where project_id = $1 returning project_id) select count(*)::int as count from gone',
)

/** Forgets the sending rate of a project that is deleted; answers how many rows. */
export async function eraseSendBucket(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeBucket, [projectId]))[0]?.count ?? 0
}
