import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../../kit/postgres/erase.ts'
import { emailEventData, isCopied, leftAt } from '../sql.ts'

/** An email that feedback is about. */
export interface FeedbackEmail {
  projectId: string
  id: string
  contactId: string
  toAddress: string
  /** Whether it also went to others (cc, bcc). */
  copied: boolean
  contactDeleted: boolean
  bounced: boolean
  complained: boolean
  /** When it left, or may have; null for one of which no report counts once its contact is deleted. */
  leftAt: Date | null
}

const record = `e.project_id as "projectId", e.id, e.contact_id as "contactId", e.to_address as "toAddress",
  ${isCopied('b')} as copied, c.deleted_at is not null as "contactDeleted",
  e.bounced_at is not null as bounced, e.complained_at is not null as complained,
  ${leftAt('e', 'd')} as "leftAt"`
// A limit of one row makes Postgres look it up by its whole key, whatever the statistics say.
const related = `left join lateral (select * from contacts o where o.project_id = e.project_id and o.id = e.contact_id limit 1) c on true
   left join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) b on true
   left join lateral (select * from deliveries o where o.project_id = e.project_id and o.email_id = e.id limit 1) d on true`

/** The email that feedback is about ($1 project, $2 id). */
export const findEmailOfProject = statement<FeedbackEmail>(
  'emails_find_email_of_project',
  `select ${record} from emails e ${related} where e.project_id = $1 and e.id = $2 and e.source <> 'INBOUND'`,
)

/** The same of a sender domain ($1) and the id of an email ($2), as a Message-ID has them: a domain may be in several projects. */
export const findEmailOfDomain = statement<FeedbackEmail>(
  'emails_find_email_of_domain',
  `select ${record} from domains n
   cross join lateral (select * from emails o where o.project_id = n.project_id and o.id = $2 limit 1) e ${related}
   where n.domain = $1 and e.source <> 'INBOUND'`,
  { allProjects: 'the project is determined by the id of the email' },
)

/**
 * Records a group of feedback ($1 projects, $2 emails, $3 kinds, $4 when it happened, $5 sentences, $6 whether the mailbox could not
 * take the email, $7 ids and $8 data of log lines, $9 now) and returns the ids of the lines that were logged: what is known already
 * changes nothing. A status only moves forward, FAILED and REJECTED give way, and times are set once, so that any order of the same
 * feedback has the same end; the line of the log that made one give way names it (`replaces`), so that counts have the same end as well, and
 * the first that shows that an email has left which is not recorded as sent says so (`early`); an open has done so of one that has ended. Nothing is recorded for a deleted contact, which is looked up by its whole key, whatever the statistics
 * say. It writes a table of another module, an exception that
 * test/owners.test.ts lists: at this rate status and log line must be one statement.
 */
export const recordFeedback = statement<{ id: string }>(
  'emails_record_feedback',
  `with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::bool[], $7::text[], $8::jsonb[]) with ordinality
      as i(project_id, id, kind, at, reason, mailbox, event_id, data, ord)
  ), asked as (
    select project_id, id, min(at) filter (where kind = 'delivery') as delivered_at, min(at) filter (where kind = 'bounce') as bounced_at,
      min(at) filter (where kind = 'complaint') as complained_at, min(at) filter (where kind = 'transient') as soft_bounced_at,
      min(at) filter (where mailbox) as mailbox_error_at,
      max((case kind when 'delivery' then 'DELIVERED' when 'bounce' then 'BOUNCED' when 'complaint' then 'COMPLAINED' end)::email_status) as status,
      max((case kind when 'failure' then 'FAILED' when 'rejection' then 'REJECTED' end)::email_status) as failure,
      (array_agg(reason order by ord) filter (where kind = 'bounce'))[1] as bounce_reason,
      (array_agg(reason order by ord) filter (where kind in ('failure', 'rejection')))[1] as failure_reason
    from input group by project_id, id
  ), locked as materialized (
    select e.project_id, e.id from asked a join emails e on e.project_id = a.project_id and e.id = a.id
    where (select c.deleted_at is null from contacts c where c.project_id = e.project_id and c.id = e.contact_id limit 1)
    order by e.project_id, e.id for no key update of e
  ), changed as (
    update emails e set
      status = case when a.status > e.status or (a.status is not null and e.status in ('FAILED', 'REJECTED')) then a.status
        when a.status is null and a.failure is not null and e.status in ('PENDING', 'SENT') then a.failure else e.status end,
      reason = case when a.bounce_reason is not null and e.bounced_at is null then a.bounce_reason
        when a.status is not null and e.status in ('FAILED', 'REJECTED') then null
        when a.status is null and a.failure is not null and e.status in ('PENDING', 'SENT') then a.failure_reason else e.reason end,
      delivered_at = coalesce(e.delivered_at, a.delivered_at), bounced_at = coalesce(e.bounced_at, a.bounced_at),
      complained_at = coalesce(e.complained_at, a.complained_at), soft_bounced_at = coalesce(e.soft_bounced_at, a.soft_bounced_at),
      mailbox_error_at = coalesce(e.mailbox_error_at, a.mailbox_error_at), updated_at = $9
    from asked a join locked l on l.project_id = a.project_id and l.id = a.id
    where e.project_id = l.project_id and e.id = l.id and (
      (a.delivered_at is not null and e.delivered_at is null) or (a.bounced_at is not null and e.bounced_at is null)
      or (a.complained_at is not null and e.complained_at is null) or (a.soft_bounced_at is not null and e.soft_bounced_at is null)
      or (a.failure is not null and e.status in ('PENDING', 'SENT')) or (a.mailbox_error_at is not null and e.mailbox_error_at is null))
    returning e.*, old.status as status_before, old.delivered_at as delivered_before, old.bounced_at as bounced_before,
      old.complained_at as complained_before, old.soft_bounced_at as soft_bounced_before
  ), counted as (
    select i.*, row_number() over (partition by i.project_id, i.id, i.kind order by i.ord) as nth from input i
  )
  insert into events (project_id, id, name, contact_id, email_id, data, created_at)
  select e.project_id, i.event_id,
    case i.kind when 'delivery' then 'email.delivery' when 'complaint' then 'email.complaint' when 'failure' then 'email.failed'
      when 'rejection' then 'email.failed' else 'email.bounce' end,
    e.contact_id, e.id, ${emailEventData('e', 'b')} || i.data || case
      when e.status_before in ('FAILED', 'REJECTED') and e.status not in ('FAILED', 'REJECTED')
        and row_number() over (partition by e.project_id, e.id order by i.kind in ('transient', 'failure', 'rejection'), i.ord) = 1
      then jsonb_build_object('replaces', e.status_before) else '{}' end
      || case when coalesce(e.sent_at, e.delivered_before, e.bounced_before, e.complained_before, e.proved_at) is null and not (e.attempts > 0 and e.status_before in ('OPENED', 'CLICKED'))
        and row_number() over (partition by e.project_id, e.id order by i.kind in ('transient', 'failure', 'rejection'), i.ord) = 1
        and i.kind in ('delivery', 'bounce', 'complaint') then jsonb_build_object('early', true) else '{}' end, $9
  from counted i
  join changed e on e.project_id = i.project_id and e.id = i.id
  left join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) b on true
  where i.nth = 1 and case i.kind when 'delivery' then e.delivered_before is null when 'bounce' then e.bounced_before is null
    when 'complaint' then e.complained_before is null when 'transient' then e.soft_bounced_before is null
    else e.status_before in ('PENDING', 'SENT') and e.status in ('FAILED', 'REJECTED') end
  order by i.ord
  returning id`,
)

/**
 * How many of the last emails to an address ($3) of a contact ($2) ended because its mailbox could not take them, since one that was
 * taken, and when the first and the last of them did.
 */
export const countMailboxErrors = statement<{ count: number; first: Date | null; last: Date | null }>(
  'emails_count_mailbox_errors',
  `select count(*)::int as count, min(e.mailbox_error_at) as first, max(e.mailbox_error_at) as last from emails e
   where e.project_id = $1 and e.contact_id = $2 and e.to_address = $3 and e.mailbox_error_at is not null and e.delivered_at is null
     and e.id > coalesce((
       select t.id from emails t where t.project_id = $1 and t.contact_id = $2 and t.to_address = $3 and (t.delivered_at is not null
         or (t.mailbox_error_at is null and t.status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED')))
       order by t.id desc limit 1), '')`,
)

/**
 * The name of a domain ($1 project, $2 id) whose RETURN_PATH record the last check has found, or that needs no records: bounces to
 * it come here. No row otherwise.
 */
export const findReturnPath = statement<{ domain: string }>(
  'emails_find_return_path',
  `select d.domain from domains d where d.project_id = $1 and d.id = $2 and d.status = 'VERIFIED'
     and coalesce(d.findings @> '[{"purpose": "RETURN_PATH", "found": true}]', true)`,
)

/** An email that is removed. */
export interface GoneEmail {
  id: string
  toAddress: string
  /** Whether it also went to others (cc, bcc). */
  copied: boolean
  bounced: boolean
  complained: boolean
  /** When it left, or may have; null for one of which no report can come that counts. */
  leftAt: Date | null
}

/** An email that was removed: what is kept of it for late reports. */
export interface RemovedEmail {
  projectId: string
  emailId: string
  /** A keyed hash of its address. */
  hash: string
  copied: boolean
  bounced: boolean
  complained: boolean
}

/**
 * Keeps of emails of a project ($1) that are removed ($2 ids, $3 hashes of their addresses, $4 whether copied, $5 bounced, $6 reported as
 * spam, $7 when they left) what late reports about them need; not of a project that was deleted meanwhile.
 */
export const insertRemoved = statement<object>(
  'emails_insert_removed',
  `insert into removed_emails (project_id, email_id, hash, copied, bounced, complained, left_at)
   select $1, i.* from unnest($2::text[], $3::text[], $4::bool[], $5::bool[], $6::bool[], $7::timestamptz[]) as i(id, hash, copied, bounced, complained, left_at)
   where exists (select from projects p where p.id = $1) order by i.id on conflict do nothing`,
)

const removed = `r.project_id as "projectId", r.email_id as "emailId", r.hash, r.copied, r.bounced, r.complained`

/** What is kept of a removed email ($1 project, $2 id). */
export const findRemovedOfProject = statement<RemovedEmail>(
  'emails_find_removed_of_project',
  `select ${removed} from removed_emails r where r.project_id = $1 and r.email_id = $2`,
)

/** The same of a sender domain ($1) and the id of an email ($2). */
export const findRemovedOfDomain = statement<RemovedEmail>(
  'emails_find_removed_of_domain',
  `select ${removed} from domains d
   cross join lateral (select * from removed_emails o where o.project_id = d.project_id and o.email_id = $2 limit 1) r where d.domain = $1`,
  { allProjects: 'the project is determined by the id of the email' },
)

/** Marks that a removed email ($1 project, $2 id) bounced ($3) or was reported as spam ($4); returns a row if that is new. */
export const markRemoved = statement<object>(
  'emails_mark_removed',
  `update removed_emails r set bounced = r.bounced or $3, complained = r.complained or $4
   where r.project_id = $1 and r.email_id = $2 and (($3 and not r.bounced) or ($4 and not r.complained)) returning 1`,
)

/** Forgets up to $2 removed emails that left before $1. */
export const forgetRemoved = batchStatement<{ count: number }>(
  'emails_forget_removed',
  `with gone as (
     delete from removed_emails where ctid = any(array(
       select ctid from removed_emails where left_at < $1 order by left_at limit $2 for update skip locked)) returning 1)
   select count(*)::int as count from gone`,
  { allProjects: 'removed emails of all projects are kept for the same time' },
)

/** Forgets one batch of the removed emails of a deleted project; returns how many, 0 when none is left. */
export const eraseSomeRemovedEmails = eraser('removed_emails', 'email_id', 5_000)
