import { statement } from '../../../kit/postgres/db.ts'
import type { Attachment, ContentRow, Recipient } from '../message/content.ts'
import type { EmailSource } from '../shapes.ts'
import { emailEventData } from '../sql.ts'

/** An email a worker has claimed, with everything that decides whether it is sent; claimed and read in one round trip. */
export interface ClaimedRow extends Recipient {
  contentId: string
  source: EmailSource
  attempts: number
  claim: string
  /** The value of the claim column before. */
  before: string | null
  /** The recipient has opened it: an earlier attempt did arrive. */
  arrived: boolean
  contactDeleted: boolean
  optedOut: boolean
  suppressed: 'BOUNCE' | 'COMPLAINT' | null
  disabled: boolean
  domainId: string | null
  domainVerified: boolean
}

const across = { allProjects: 'one worker delivers for all projects; rows are joined by their project_id' }

const claimed = `mine as (
  update emails e set status = case e.status when 'PENDING' then 'SENDING' else e.status end, claim = $1, wake_at = $2, updated_at = $3, attempts = e.attempts + 1
  from due d where e.project_id = d.project_id and e.id = d.id
  returning e.*, old.claim as before
)
select m.project_id as "projectId", m.id, m.contact_id as "contactId", m.content_id as "contentId", m.source, m.to_address as "toAddress",
  m.to_name as "toName", m.attempts, m.created_at as "createdAt", m.claim, m.before, m.opens + m.clicks > 0 as arrived,
  c.subscribed, c.data as "contactData", c.deleted_at is not null as "contactDeleted",
  b.type <> 'TRANSACTIONAL' and not c.subscribed and exists (
    select from events v where v.project_id = m.project_id and v.contact_id = m.contact_id and v.name = 'contact.unsubscribed') as "optedOut",
  s.reason as suppressed, p.name as "projectName", p.disabled or p.erasing_at is not null as disabled, p.tracking, p.language,
  d.id as "domainId", coalesce(d.status = 'VERIFIED', false) as "domainVerified"
from mine m
join projects p on p.id = m.project_id
join contacts c on c.project_id = m.project_id and c.id = m.contact_id
join email_contents b on b.project_id = m.project_id and b.id = m.content_id
left join domains d on d.project_id = m.project_id and d.domain = split_part(b.from_address, '@', 2)
left join suppressions s on s.project_id = m.project_id and s.email = m.to_address
order by m.id`

/**
 * Claims new emails for their first attempt ($1 claim, $2 its expiry, $3 now, $4 projects, $5 ids). Hand-written because
 * claiming an email and reading what decides on it must be one round trip, and locked rows must be skipped.
 */
export const claimNew = statement<ClaimedRow>(
  'emails_claim_new',
  `with due as (
    select e.project_id, e.id from unnest($4::text[], $5::text[]) as w(project_id, id)
    join emails e on e.project_id = w.project_id and e.id = w.id
    where e.status = 'PENDING' and e.claim is null and e.attempts = 0
    for update of e skip locked
  ), ${claimed}`,
)

/**
 * Claims up to $4 emails that are due: next attempts, expired claims and lost jobs ($1 claim, $2 its expiry, $3 now).
 */
export const claimDueRows = statement<ClaimedRow>(
  'emails_claim_due',
  `with due as (
    select project_id, id from emails where wake_at <= $3 order by wake_at limit $4 for update skip locked
  ), ${claimed}`,
  across,
)

/** Renews claims ($1 projects, $2 ids, $3 claims, $4 new expiry); returns those that were still held. */
export const renewClaims = statement<{ projectId: string; id: string; claim: string }>(
  'emails_renew',
  `update emails e set wake_at = $4
   from unnest($1::text[], $2::text[], $3::text[]) as i(project_id, id, claim)
   where e.project_id = i.project_id and e.id = i.id and e.claim = i.claim
   returning e.project_id as "projectId", e.id, e.claim`,
)

/**
 * Records how attempts ended, with their log lines, for emails whose claim still holds ($1 to $11, one entry per email;
 * $12 now). The status of an email that was opened meanwhile stays. It writes a table of another module, an exception that
 * test/owners.test.ts lists: at this rate status and log line must be one statement.
 */
export const settleEmails = statement<{ id: string }>(
  'emails_settle',
  `with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::jsonb[])
      as i(project_id, id, claim, status, subject, reason, wake_at, next_claim, event_id, event_name, event_data)
  ), settled as (
    update emails e set
      status = case when e.status in ('PENDING', 'SENDING') then i.status::email_status else e.status end,
      subject = coalesce(i.subject, e.subject), reason = i.reason, wake_at = i.wake_at, claim = i.next_claim,
      attempts = case when i.next_claim is null then e.attempts else e.attempts - 1 end,
      sent_at = case when i.status = 'SENT' then $12 else e.sent_at end,
      bounced_at = case when i.status = 'BOUNCED' then $12 else e.bounced_at end,
      updated_at = $12
    from input i where e.project_id = i.project_id and e.id = i.id and e.claim = i.claim
    returning e.*
  ), logged as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select s.project_id, i.event_id, i.event_name, s.contact_id, s.id, ${emailEventData('s', 'b')} || i.event_data, $12
    from settled s
    join input i on i.project_id = s.project_id and i.id = s.id
    join email_contents b on b.project_id = s.project_id and b.id = s.content_id
    join contacts c on c.project_id = s.project_id and c.id = s.contact_id and c.deleted_at is null
    where i.event_name is not null
  )
  select id from settled`,
)

/** The contents with these keys ($1 projects, $2 ids). */
export const readContents = statement<ContentRow>(
  'emails_contents',
  `select c.project_id as "projectId", c.id, c.template_id as "templateId", c.type, c.subject, c.html, c.text, c.from_address as "fromAddress",
     c.from_name as "fromName", c.reply_to as "replyTo", c.cc, c.bcc, c.headers, c.data, c.tracking,
     exists (select from email_attachments a where a.project_id = c.project_id and a.content_id = c.id) as attached
   from unnest($1::text[], $2::text[]) as w(project_id, id) join email_contents c on c.project_id = w.project_id and c.id = w.id`,
)

/** The attachments of a content ($1 project, $2 content), in order. */
export const readAttachments = statement<Attachment>(
  'emails_attachments',
  `select filename, content_type as "contentType", cid, inline, bytes
   from email_attachments where project_id = $1 and content_id = $2 order by position`,
)

/** The signing key of a domain ($1 project, $2 domain id). */
export const readSigningKey = statement<{ domain: string; selector: string; sealed: string }>(
  'emails_signing_key',
  'select domain, dkim_selector as selector, dkim_sealed as sealed from domains where project_id = $1 and id = $2',
)

/**
 * Takes tokens ($1 projects, sorted, $2 how many each, $3 tokens per second and bucket size, $4 now). The balance may become
 * negative: those emails are sent later. Hand-written because reading and taking must be one step across all processes.
 */
export const takeTokens = statement<{ projectId: string; tokens: number }>(
  'emails_take_tokens',
  `insert into send_buckets as b (project_id, tokens, updated_at)
   select i.project_id, $3::float8 - i.wanted, $4 from unnest($1::text[], $2::int[]) as i(project_id, wanted)
   on conflict (project_id) do update set
     tokens = least($3, b.tokens + greatest(0, extract(epoch from excluded.updated_at - b.updated_at)) * $3) - ($3 - excluded.tokens),
     updated_at = greatest(b.updated_at, excluded.updated_at)
   returning project_id as "projectId", tokens`,
)
