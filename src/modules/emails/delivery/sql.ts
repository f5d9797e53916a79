import { statement } from '../../../kit/postgres/db.ts'
import type { Attachment, ContentRow } from '../message/content.ts'
import { clock } from '../queue/sql.ts'
import { copiesWorker, waitsForDomain } from '../queue/waits.ts'
import { bytesInMemory, emailEventData } from '../sql.ts'

const endedColumns =
  'd.project_id, d.email_id, d.attempts, i.status, i.reason, i.subject, i.event_name, i.event_data, i.mailbox, i.uncertain, i.lost'

/**
 * Records how attempts ended, with their log lines, for emails whose claim still holds ($1 to $10, one entry per email: $6 is
 * the time until the next attempt in ms, null when the email has ended; $7 whether this attempt is counted: the first one that is begins its 24 hours, in which a wait for its sender domain does not count; $11 now, $12 clock
 * offset, $13 whether the email may have arrived although it was not accepted, $14 whether it failed because of its mailbox, $15 what it waits for,
 * $16 the copies that are offered it again, of one that has ended with a time until the next attempt: it stays queued for them alone; $17 log lines
 * about copies that are lost). Without a status an email that ends was queued for copies only, and stays as it is. An email that was
 * opened or reported on meanwhile ends as if that came after its outcome: status and reason stay, and that it failed or was withheld is
 * not logged; an opened one has arrived by an earlier attempt, and is recorded as sent; only a bounce moves the status forward, is logged unless one was reported, and takes back that the email had failed
 * (`replaces`). That it was sent is logged always, and says whether it had `bounced`, or was `reported` as delivered or as spam, so that it is counted once. Rows are locked in one order, emails first, as everywhere; each part reads what the one before returned, because joining two of them compares every
 * email of the group with every other. A limit of one row makes Postgres look it up by its whole key, whatever the
 * statistics say: one that reads all rows of a project is faster only while there are few. What became of an email is logged also
 * when its contact was deleted meanwhile: the line is counted, hidden from reads, and removed with the others. It writes a table of another module,
 * an exception that test/owners.test.ts lists: at this rate status and log line must be one statement.
 */
export const settleEmails = statement<{ id: string }>(
  'emails_settle_emails',
  `with ${clock('$12')},
  input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::bool[], $8::text[], $9::text[], $10::jsonb[], $13::bool[], $14::bool[], $15::text[], $16::jsonb[], $17::jsonb[])
      as i(project_id, id, claim, status, reason, wait, counts, subject, event_name, event_data, uncertain, mailbox, waits_for, copies, lost)
  ), locked as materialized (
    select i.* from input i join emails e on e.project_id = i.project_id and e.id = i.id
    order by e.project_id, e.id for no key update of e
  ), again as (
    update deliveries d set due = case when i.wait > 0 then c.now + i.wait * interval '1 ms' end, claim = null,
      worker = case when d.copies is not null then '${copiesWorker}' end,
      reason = coalesce(i.reason, d.reason), waits_for = i.waits_for, uncertain = d.uncertain or i.uncertain, copies = coalesce(i.copies, d.copies),
      handed_at = case when i.counts then $11 else d.handed_at end, attempts = d.attempts - case when i.counts then 0 else 1 end,
      first_at = case when not i.counts and d.attempts <= 1 then null
        when d.unverified_at is not null and (i.counts or i.waits_for not like '${waitsForDomain}%') then least(c.now, d.first_at + greatest(c.now - d.unverified_at, '0'))
        else d.first_at end,
      unverified_at = case when i.waits_for like '${waitsForDomain}%' then least(d.unverified_at, c.now) when not i.counts and i.waits_for is null then d.unverified_at end
    from clock c, locked i
    where i.wait is not null and i.status is null and d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
    returning d.project_id, d.email_id, i.lost
  ), kept as (
    update deliveries d set due = c.now + i.wait * interval '1 ms', worker = '${copiesWorker}', claim = null, waits_for = null, uncertain = false,
      copies = i.copies, unverified_at = null, first_at = d.first_at + case when d.unverified_at is null then '0' else greatest(c.now - d.unverified_at, '0') end
    from clock c, locked i
    where i.wait is not null and i.status is not null and d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
    returning ${endedColumns}
  ), removed as (
    delete from deliveries d using locked i
    where i.wait is null and d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
    returning ${endedColumns}
  ), ended as (
    select * from removed union all select * from kept
  ), settled as (
    update emails e set
      status = case when e.status = 'PENDING' or (x.status = 'BOUNCED' and (e.status < 'BOUNCED' or e.status in ('FAILED', 'REJECTED')))
        then x.status::email_status else e.status end,
      reason = case when e.status = 'PENDING' or (x.status = 'BOUNCED' and e.bounced_at is null) then x.reason else e.reason end,
      subject = coalesce(x.subject, e.subject), attempts = x.attempts,
      sent_at = case when x.status = 'SENT' then $11 when x.status in ('FAILED', 'SUPPRESSED') and e.status in ('OPENED', 'CLICKED') then coalesce(e.sent_at, $11) else e.sent_at end,
      bounced_at = case when x.status = 'BOUNCED' then coalesce(e.bounced_at, $11) else e.bounced_at end,
      mailbox_error_at = case when x.mailbox then $11 else e.mailbox_error_at end,
      uncertain = x.uncertain,
      updated_at = $11
    from ended x where x.status is not null and e.project_id = x.project_id and e.id = x.email_id
    returning e.*, old.status as status_before, old.bounced_at as bounced_before,
      old.status in ('OPENED', 'CLICKED') and x.status in ('FAILED', 'SUPPRESSED') and old.sent_at is null as arrived, coalesce(old.delivered_at, old.complained_at) is not null as reported_before, x.event_name, x.event_data
  ), logged as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select s.project_id, s.event_data ->> 'eventId', case when s.arrived then 'email.sent' else s.event_name end, s.contact_id, s.id,
      ${emailEventData('s', 'b')} || case when s.arrived then jsonb_build_object('sentAt', s.event_data -> 'failedAt') else s.event_data - 'eventId' end || case
      when (s.event_name = 'email.sent' or s.arrived) and s.bounced_before is not null then jsonb_build_object('bounced', true)
      when (s.event_name in ('email.sent', 'email.bounce') or s.arrived) and s.reported_before then jsonb_build_object('reported', true)
      when s.event_name = 'email.bounce' and s.status_before in ('FAILED', 'REJECTED') then jsonb_build_object('replaces', s.status_before)
      else '{}' end, $11
    from settled s
    cross join lateral (select * from email_contents o where o.project_id = s.project_id and o.id = s.content_id limit 1) b
    where case s.event_name when 'email.sent' then true when 'email.bounce' then s.bounced_before is null
      when 'email.failed' then s.arrived or s.status_before = 'PENDING' end
  ), lost as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select e.project_id, l."eventId", 'email.copy.failed', e.contact_id, e.id,
      ${emailEventData('e', 'b')} || jsonb_strip_nulls(jsonb_build_object('subject', x.subject)) || l.data, $11
    from (select project_id, email_id, subject, lost from ended union all select project_id, email_id, null, lost from again) x
    cross join lateral (select * from emails o where o.project_id = x.project_id and o.id = x.email_id limit 1) e
    cross join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) b
    cross join lateral jsonb_to_recordset(x.lost) as l("eventId" text, data jsonb)
    where x.lost is not null
  )
  select email_id as id from ended union all select email_id from again`,
)

/**
 * Lets up to $2 emails be attempted again that wait longer than anything lets them ($3 ms; $1 clock offset): they were told so before the
 * clock of Postgres was set back. Their 24 hours, if they have begun, began at the latest now. Returns one row per email.
 */
export const wakeAhead = statement<{ id: string }>(
  'emails_wake_ahead',
  `with ${clock('$1')}, far as (
    select d.project_id, d.email_id from deliveries d, clock c where d.due > c.now + $3::float8 * interval '1 ms'
    order by d.due limit $2 for update of d skip locked
  )
  update deliveries d set due = null, waits_for = null, first_at = case when d.first_at > c.now then c.now else d.first_at end,
    unverified_at = case when d.unverified_at > c.now then c.now else d.unverified_at end from far f, clock c
  where d.project_id = f.project_id and d.email_id = f.email_id returning d.email_id as id`,
  { allProjects: 'one worker delivers for all projects; rows are joined by their project_id' },
)

/** The contents with these keys ($1 projects, $2 ids). */
export const readContents = statement<ContentRow>(
  'emails_read_contents',
  `select c.project_id as "projectId", c.id, c.template_id as "templateId", c.type, c.subject, c.preview_text as "previewText", c.html, c.text, c.from_address as "fromAddress",
     c.from_name as "fromName", c.reply_to as "replyTo", c.cc, c.bcc, c.headers, c.data, c.tracking, ${bytesInMemory('c')} as bytes,
     exists (select from email_attachments a where a.project_id = c.project_id and a.content_id = c.id) as attached
   from unnest($1::text[], $2::text[]) as w(project_id, id) join email_contents c on c.project_id = w.project_id and c.id = w.id`,
)

/** The custom data of contacts ($1 projects, $2 ids) as JSON; one row per contact that exists, in any order. */
export const readContactData = statement<{ id: string; data: string }>(
  'emails_read_contact_data',
  `select c.id, c.data::text as data from unnest($1::text[], $2::text[]) as w(project_id, id)
   cross join lateral (select * from contacts o where o.project_id = w.project_id and o.id = w.id limit 1) c`,
)

/** The attachments of a content ($1 project, $2 content), in order. */
export const readAttachments = statement<Attachment>(
  'emails_read_attachments',
  `select filename, content_type as "contentType", cid, inline, bytes
   from email_attachments where project_id = $1 and content_id = $2 order by position`,
)

/** The signing key of a domain ($1 project, $2 domain id). */
export const readSigningKey = statement<{ domain: string; selector: string; sealed: string }>(
  'emails_read_signing_key',
  'select domain, dkim_selector as selector, dkim_sealed as sealed from domains where project_id = $1 and id = $2',
)
