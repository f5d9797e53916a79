import { statement } from '../../kit/db.ts'
import { jobInsert } from '../../kit/jobs.ts'
import { contactWrites, contactWritesParameters } from '../contacts/sql.ts'
import { deliverQueue } from './shapes.ts'

const at = (n: number): string => `$${contactWritesParameters + n}`

/** What a mail looks like once it is accepted. */
export interface AcceptedRow {
  contactId: string
  email: string
  emailId: string
}

/**
 * Accepts the mails of a group of calls in one statement: contacts (see contactWrites), contents and attachments once a
 * call, a row a recipient, the job. Hand-written because acceptance must be one durable round trip.
 */
export const acceptMails = statement<AcceptedRow>(
  'emails_accept',
  `with ${contactWrites},
   content as (
     insert into email_contents (project_id, id, template_id, type, subject, html, text, from_address, from_name, reply_to,
       cc, bcc, headers, data, tags, tracking, created_at)
     select c.project_id, c.id, c.template_id, c.type::mail_type, c.subject, c.html, c.text, c.from_address, c.from_name, c.reply_to,
       c.cc, c.bcc, c.headers, c.data, c.tags, c.tracking, c.at
     from unnest(${at(1)}::text[], ${at(2)}::text[], ${at(3)}::text[], ${at(4)}::text[], ${at(5)}::text[], ${at(6)}::text[], ${at(7)}::text[],
       ${at(8)}::text[], ${at(9)}::text[], ${at(10)}::text[], ${at(11)}::jsonb[], ${at(12)}::jsonb[], ${at(13)}::jsonb[], ${at(14)}::jsonb[],
       ${at(15)}::jsonb[], ${at(16)}::bool[], ${at(17)}::timestamptz[])
       as c(project_id, id, template_id, type, subject, html, text, from_address, from_name, reply_to, cc, bcc, headers, data, tags, tracking, at)),
   attachment as (
     insert into email_attachments (project_id, content_id, position, filename, content_type, cid, inline, bytes)
     select * from unnest(${at(18)}::text[], ${at(19)}::text[], ${at(20)}::int[], ${at(21)}::text[], ${at(22)}::text[], ${at(23)}::text[],
       ${at(24)}::bool[], ${at(25)}::bytea[])),
   asked as (
     select * from unnest(${at(26)}::int[], ${at(27)}::text[], ${at(28)}::text[], ${at(29)}::text[], ${at(30)}::text[], ${at(31)}::timestamptz[], ${at(32)}::timestamptz[])
       as a(ord, id, content_id, to_name, subject, at, wake_at)),
   mail as (
     insert into emails (project_id, id, contact_id, content_id, to_address, to_name, subject, wake_at, created_at, updated_at)
     select r.project_id, a.id, r.id, a.content_id, r.email, a.to_name, a.subject, a.wake_at, a.at, a.at
     from asked a join item i on i.ord = a.ord join result r on r.grp = i.grp),
   job as (${jobInsert(deliverQueue, `unnest(${at(33)}::jsonb[])`).replace('s.payload', 's')})
   select r.id as "contactId", r.email, a.id as "emailId" from asked a join item i on i.ord = a.ord join result r on r.grp = i.grp order by a.ord`,
)
