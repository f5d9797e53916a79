import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'
import { isUnhandled } from '../../events/reader/sql.ts'
import type { GoneEmail } from '../feedback/sql.ts'
import { emailTally, hasLeftForCertain, isCopied, leftAt } from '../sql.ts'

/** An email that is erased. */
export interface ErasedEmail extends GoneEmail {
  /** Whether it has left for certain, which is logged of it. */
  sent: boolean
}

/** Whether emails of a project ($1) are being sent. */
export const isSending = statement<{ found: boolean }>(
  'emails_is_sending',
  'select exists (select from deliveries d where d.project_id = $1 and d.claim is not null) as found',
)

/** Takes up to $2 emails of a project out of the queue that nobody has claimed, and of which none may have left. */
export const removeWaiting = batchStatement<{ count: number }>(
  'emails_remove_waiting',
  `with gone as (
     delete from deliveries where project_id = $1 and email_id = any(array(
       select d.email_id from deliveries d where d.project_id = $1 and d.claim is null and not d.uncertain
       order by d.email_id limit $2 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
)

// Of a row of emails, by its row of deliveries.
const goneEmail = (email: string, delivery: string): string =>
  `${email}.id, ${email}.to_address as "toAddress", ${email}.bounced_at is not null as bounced, ${email}.complained_at is not null as complained,
   ${leftAt(email, delivery)} as "leftAt", ${hasLeftForCertain(email)} as sent, coalesce((
     select ${isCopied('b')} from email_contents b where b.project_id = ${email}.project_id and b.id = ${email}.content_id), false) as copied`

const goneTally = emailTally('select project_id, -count(*)::int as change from gone group by project_id')

// The contacts of a list ($2), whose rows are looked up by their keys.
const listed = '(select $1::text as project_id, u.id as contact_id from unnest($2::text[]) as u(id) offset 0) x'

/**
 * Locks the oldest emails of contacts ($2), at most $3 of each, until the transaction ends: what is being recorded of them is visible
 * then. In one order, as everywhere.
 */
export const lockEmailsOfContacts = statement<{ id: string }>(
  'emails_lock_emails_of_contacts',
  `with found as materialized (
     select e.project_id, e.id from ${listed} cross join lateral (
       select o.project_id, o.id from emails o where o.project_id = x.project_id and o.contact_id = x.contact_id order by o.id limit $3) e
   )
   select e.id from found f join emails e on e.project_id = f.project_id and e.id = f.id order by e.id for update of e`,
)

/** Which contacts ($2) have emails. */
export const findContactsWithEmails = statement<{ contactId: string }>(
  'emails_find_contacts_with_emails',
  `select x.contact_id as "contactId" from ${listed}
   where (select true from emails o where o.project_id = x.project_id and o.contact_id = x.contact_id limit 1)`,
)

/**
 * Removes emails ($3) of contacts ($2) that are locked, with the contents that nobody else was sent. Of a campaign it is kept that one has
 * left, or may have. Emails that a worker has claimed stay until it has recorded what became of them, and those with lines that a reader
 * of the log has not handled until it has: counts would miss them. A claim that is under way is waited for.
 */
export const removeEmailsOfContacts = statement<ErasedEmail>(
  'emails_remove_emails_of_contacts',
  `with queued as materialized (
     select d.email_id, d.claim, d.uncertain, d.copies from deliveries d where d.project_id = $1 and d.email_id = any($3::text[])
     order by d.email_id for update of d
   ), unhandled as materialized (
     select distinct l.email_id from ${listed} cross join lateral (
       select o.email_id from events o
       where o.project_id = x.project_id and o.contact_id = x.contact_id and o.email_id is not null and ${isUnhandled('o')} offset 0) l
   ), gone as (
     delete from emails e where e.project_id = $1 and e.id = any($3::text[]) and e.id not in (select q.email_id from queued q where q.claim is not null)
       and e.id not in (select u.email_id from unhandled u)
     returning e.*, ${hasLeftForCertain('e')} as sent),
   left_of as materialized (
     select g.project_id, g.campaign_id, bool_or(g.sent) as sent from gone g left join queued q on q.email_id = g.id
     where g.campaign_id is not null and (g.sent or g.uncertain or q.uncertain) group by g.project_id, g.campaign_id),
   departed as (
     insert into campaign_departures as d (project_id, campaign_id, sent)
     select k.project_id, k.id, l.sent from left_of l join campaigns k on k.project_id = l.project_id and k.id = l.campaign_id
     where not exists (
       select from campaign_departures o where o.project_id = k.project_id and o.campaign_id = k.id and (o.sent or not l.sent))
     order by k.id for key share of k
     on conflict (project_id, campaign_id) do update set sent = d.sent or excluded.sent),
   tallied as (${goneTally}),
   lonely as (
     delete from email_contents c where c.project_id = $1 and c.id in (select content_id from gone) and not exists
       (select 1 from emails e where e.project_id = $1 and e.content_id = c.id and e.id not in (select id from gone)))
   select ${goneEmail('g', 'q')} from gone g left join queued q on q.email_id = g.id`,
)

/** Removes what the mailbox holds of removed emails ($2); a statement of its own, so that it sees what waited for their rows. */
export const removeCapturedEmails = statement<object>(
  'emails_remove_captured_emails',
  'delete from captured_mails where project_id = $1 and email_id = any($2::text[])',
)

/** Removes up to $2 contents that no email of the project refers to any more; returns how many, 0 when none is left. */
export const removeContents = batchStatement<{ count: number }>(
  'emails_remove_contents',
  `with chosen as materialized (
     select c.id from email_contents c where c.project_id = $1
       and (select true from emails e where e.project_id = c.project_id and e.content_id = c.id limit 1) is null order by c.id limit $2),
   gone as (delete from email_contents where project_id = $1 and id = any(array(select id from chosen)))
   select count(*)::int as count from chosen`,
)

/** Removes up to $2 of a project's emails, and then what of them is queued: locked in the order in which what becomes of them is recorded. */
export const removeEmails = statement<ErasedEmail>(
  'emails_remove_emails',
  `with chosen as materialized (select id from emails where project_id = $1 order by id limit $2 for update),
   queued as materialized (
     select d.email_id, d.uncertain, d.claim, d.copies from deliveries d where d.project_id = $1 and d.email_id in (select id from chosen)
     order by d.email_id for update of d),
   gone as (
     delete from emails where project_id = $1 and id in (select id from chosen) and (select count(*) from queued) >= 0 returning *),
   tallied as (${goneTally})
   select ${goneEmail('g', 'q')} from gone g left join queued q on q.email_id = g.id`,
)
