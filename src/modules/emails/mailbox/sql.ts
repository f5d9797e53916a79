import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'

/** A captured email as a list shows it. */
export interface CapturedEmail {
  id: string
  from: string
  to: string[]
  subject: string
  createdAt: Date
}

/**
 * Stores captured emails; one that is sent again after a crash is stored again, as a mail server would do. Nothing is stored
 * of a contact that was deleted meanwhile: the row of the email is held, so that its removal finds what is stored here.
 */
export const insertCapturedEmails = statement<object>(
  'emails_insert_captured_emails',
  `insert into captured_mails (id, project_id, email_id, "from", "to", subject, raw, created_at)
   select i.id, i.project_id, i.email_id, i.sender, string_to_array(i.recipients, ','), i.subject, i.raw, $8
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])
     as i(id, project_id, email_id, sender, recipients, subject, raw)
   join emails e on e.project_id = i.project_id and e.id = i.email_id
   where (select c.deleted_at is null from contacts c where c.project_id = e.project_id and c.id = e.contact_id limit 1)
   for key share of e`,
)

/** Stores test emails, which have no row. */
export const insertCapturedTests = statement<object>(
  'emails_insert_captured_tests',
  `insert into captured_mails (id, project_id, email_id, "from", "to", subject, raw, created_at)
   select i.id, i.project_id, i.email_id, i.sender, string_to_array(i.recipients, ','), i.subject, i.raw, $8
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])
     as i(id, project_id, email_id, sender, recipients, subject, raw)
   join projects p on p.id = i.project_id and p.erasing_at is null`,
)

const development = { allProjects: 'the mailbox of a development installation shows the emails of every project' }

// Emails of a deleted contact cannot be read any more, before they are removed.
const visible = `not exists (select from emails e join contacts c on c.project_id = e.project_id and c.id = e.contact_id
     where e.project_id = m.project_id and e.id = m.email_id and c.deleted_at is not null)`

/** Up to $3 captured emails with an id below $1 whose subject or addresses match the LIKE pattern $2, newest first. */
export const selectCapturedEmails = statement<CapturedEmail>(
  'emails_select_captured_emails',
  `select id, "from", "to", subject, created_at as "createdAt" from captured_mails m
   where ${visible} and id < $1 and (subject ilike $2 or "from" ilike $2 or array_to_string("to", ' ') ilike $2) order by id desc limit $3`,
  development,
)

/** How many emails are captured. */
export const countCapturedEmails = statement<{ count: number }>(
  'emails_count_captured_emails',
  'select count(*)::int as count from captured_mails',
  development,
)

/** Deletes up to $1 captured emails, the oldest first; returns how many it has chosen, fewer than $1 when none is left. */
export const deleteCapturedEmails = batchStatement<{ count: number }>(
  'emails_delete_captured_emails',
  `with chosen as materialized (select id from captured_mails order by id limit $1),
   gone as (delete from captured_mails where id = any(array(select id from chosen)))
   select count(*)::int as count from chosen`,
  development,
)

/** One captured email with the beginning of its source, up to $2 bytes, and how many it has. */
export const selectCapturedEmail = statement<CapturedEmail & { bytes: number; beginning: Buffer }>(
  'emails_select_captured_email',
  `select id, "from", "to", subject, created_at as "createdAt", octet_length(raw) as bytes, substring(raw from 1 for $2) as beginning
   from captured_mails m where id = $1 and ${visible}`,
  development,
)

/** At most $3 octets of one captured email, from the $2nd on, from 1. Hand-written to read no more than these. */
export const selectCapturedPiece = statement<{ piece: Buffer }>(
  'emails_select_captured_piece',
  `select substring(raw from $2 for $3) as piece from captured_mails m where id = $1 and ${visible}`,
  development,
)
