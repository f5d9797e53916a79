import { statement } from '../../../kit/postgres/db.ts'
import type { MailboxItem } from './views.ts'

/** A mail that is sent again after a crash is kept again, as a mail server would. */
export const insertCaptured = statement<object>(
  'emails_capture',
  `insert into captured_mails (id, project_id, email_id, "from", "to", subject, raw, created_at)
   select i.id, i.project_id, i.email_id, i.sender, string_to_array(i.recipients, ','), i.subject, i.raw, $8
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])
     as i(id, project_id, email_id, sender, recipients, subject, raw)`,
)

/** Captured emails below an id ($1), newest first, $2 at most. */
export const selectMails = statement<MailboxItem>(
  'mailbox_list',
  'select id, "from", "to", subject, created_at as "createdAt" from captured_mails where id < $1 order by id desc limit $2',
  { allProjects: 'the mailbox of a development installation shows what every project sent' },
)

/** One captured email with its source. */
export const selectMail = statement<MailboxItem & { raw: Buffer }>(
  'mailbox_mail',
  'select id, "from", "to", subject, created_at as "createdAt", raw from captured_mails where id = $1',
  { allProjects: 'as above' },
)
