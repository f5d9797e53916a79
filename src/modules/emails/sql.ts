import { statement } from '../../kit/postgres/db.ts'
import type { ListSql } from '../../kit/postgres/list.ts'
import type { EmailFilter } from './shapes.ts'

/**
 * The mails of a project. Those of a deleted contact are gone from reads before they are removed: one probe, per mail of a
 * page, of an index that holds only deleted contacts.
 */
export const emails: ListSql<EmailFilter> = {
  name: 'emails',
  table: 'emails',
  columns: 'l.id, l.contact_id',
  conditions: [
    [
      'contactId',
      (at) => `l.contact_id = ${at}
        and (select true from contacts d where d.project_id = $1 and d.id = ${at} and d.deleted_at is not null) is not true`,
    ],
    ['status', (at) => `l.status = ${at}::email_status`],
  ],
  hidden: '(select true from contacts d where d.project_id = $1 and d.id = v.contact_id and d.deleted_at is not null) is true',
  shown: 'not exists (select 1 from contacts d where d.project_id = $1 and d.id = v.contact_id and d.deleted_at is not null)',
}

/** How many mails each of some contacts ($1 projects, $2 contacts, in pairs) has, in order. */
export const countOfContacts = statement<{ count: number }>(
  'emails_count_of_contacts',
  `select (select count(*)::int from emails e where e.project_id = q.project_id and e.contact_id = q.contact_id) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, contact_id, ord) order by q.ord`,
)

/** Removes one batch of a contact's mails, with the contents nobody else was sent and what the mailbox kept of them. */
export const removeOfContact = statement<{ count: number }>(
  'emails_remove_of_contact',
  `with gone as (
     delete from emails where project_id = $1 and id in
       (select id from emails where project_id = $1 and contact_id = $2 order by id limit $3) returning id, content_id),
   shown as (delete from captured_mails where project_id = $1 and email_id in (select id from gone)),
   lonely as (
     delete from email_contents c where c.project_id = $1 and c.id in (select content_id from gone) and not exists
       (select 1 from emails e where e.project_id = $1 and e.content_id = c.id and e.id not in (select id from gone)))
   select count(*)::int as count from gone`,
)
