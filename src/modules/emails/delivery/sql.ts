import { statement } from '../../../kit/postgres/db.ts'
import type { Attachment, ContentRow, Recipient } from '../message/content.ts'
import { emailEventData } from '../sql.ts'

/** An email that a worker has claimed, with everything that decides whether it is sent; claimed and read in one round trip. */
export interface ClaimedRow extends Recipient {
  contentId: string
  /** The size of the bodies and attachments, as sent. */
  contentBytes: number
  attempts: number
  /** The recipient has opened it: an earlier attempt did arrive. */
  arrived: boolean
  contactDeleted: boolean
  optedOut: boolean
  suppressed: 'BOUNCE' | 'COMPLAINT' | null
  disabled: boolean
  domainId: string | null
  domainVerified: boolean
}

/** One row per claimed email; a project without one has a row whose `id` is null. */
export type TurnRow = { projectId: string; granted: number } & (ClaimedRow | { id: null })

const across = { allProjects: 'one worker delivers for all projects; rows are joined by their project_id' }

// Claims and attempts use Postgres's clock, because the clocks of two machines may differ; a test adds milliseconds to it.
const clock = (ahead: string): string => `clock as materialized (select clock_timestamp() + ${ahead}::float8 * interval '1 ms' as now)`

// The sending rate of a project is a token bucket that holds the tokens of one second. Tokens are taken here, when emails are
// about to be sent, so that emails that are cancelled have used none; other lanes wait for the transactional one.
const turns = `turns as materialized (
  select q.project_id, q.after,
    case when $7::float8 = 0 then q.want
      when exists (select from deliveries t where t.lane < $4 and t.project_id = q.project_id and t.due is null and t.worker is null) then 0
      else least(q.want, floor(least($7, coalesce(b.tokens + greatest(0, extract(epoch from c.now - b.updated_at)) * $7, $7))))::int end as granted
  from unnest($1::text[], $2::text[], $3::int[]) as q(project_id, after, want)
  cross join clock c
  left join lateral (select s.tokens, s.updated_at from send_buckets s where $7 > 0 and s.project_id = q.project_id for update) b on true
)`

/**
 * Claims the oldest emails of some projects ($1 projects, sorted, $2 the id after which to look, $3 how many at most; $4 lane,
 * $5 worker, $6 claim, $7 emails per second and project, $8 clock offset, $9 whether to take over those of other workers whose
 * lease has expired). Hand-written because taking the sending rate, claiming, and reading what decides on an email must be one
 * round trip, and locked rows must be skipped.
 */
export const claimTurns = statement<TurnRow>(
  'emails_claim_turns',
  `with ${clock('$8')},
  alive as materialized (select coalesce(array_agg(w.id), '{}') as ids from delivery_workers w, clock c where w.until > c.now),
  ${turns},
  ready as (
    select r.project_id, r.email_id from turns t cross join lateral (
      select d.project_id, d.email_id from deliveries d
      where d.lane = $4 and d.project_id = t.project_id and d.due is null and d.email_id > t.after
        and (d.worker is null or ($9 and d.worker <> $5 and not d.worker = any((select ids from alive)::text[])))
      order by d.email_id limit t.granted for update skip locked) r
  ),
  mine as (
    update deliveries d set worker = $5, claim = $6, attempts = d.attempts + 1
    from ready r where d.project_id = r.project_id and d.email_id = r.email_id
    returning d.project_id, d.email_id, d.attempts
  ),
  spent as (
    insert into send_buckets as b (project_id, tokens, updated_at)
    select m.project_id, $7 - count(*), c.now from mine m, clock c where $7 > 0 group by m.project_id, c.now order by m.project_id
    on conflict (project_id) do update set
      tokens = least($7, b.tokens + greatest(0, extract(epoch from excluded.updated_at - b.updated_at)) * $7) - ($7 - excluded.tokens),
      updated_at = greatest(b.updated_at, excluded.updated_at)
  )
  select t.project_id as "projectId", t.granted, e.id, e.contact_id as "contactId", e.content_id as "contentId", e.to_address as "toAddress",
    e.to_name as "toName", m.attempts, octet_length(b.html) + coalesce(octet_length(b.text), 0) + coalesce((
      select sum(octet_length(a.bytes)) * 1.37 from email_attachments a where a.project_id = b.project_id and a.content_id = b.id), 0)::int as "contentBytes", e.created_at as "createdAt", e.opens + e.clicks > 0 as arrived,
    c.subscribed, c.data as "contactData", c.deleted_at is not null as "contactDeleted",
    b.type <> 'TRANSACTIONAL' and not c.subscribed and exists (
      select from events v where v.project_id = e.project_id and v.contact_id = e.contact_id and v.name = 'contact.unsubscribed') as "optedOut",
    s.reason as suppressed, p.name as "projectName", p.disabled or p.erasing_at is not null as disabled, p.tracking, p.language,
    d.id as "domainId", coalesce(d.status = 'VERIFIED', false) as "domainVerified"
  from turns t
  left join mine m on m.project_id = t.project_id
  left join emails e on e.project_id = m.project_id and e.id = m.email_id
  left join projects p on p.id = e.project_id
  left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
  left join email_contents b on b.project_id = e.project_id and b.id = e.content_id
  left join domains d on d.project_id = e.project_id and d.domain = split_part(b.from_address, '@', 2)
  left join suppressions s on s.project_id = e.project_id and s.email = e.to_address
  order by e.id`,
  across,
)

/** Gives back what a claim ($3) may have taken of some projects ($1) in a lane ($2), when its answer was lost. */
export const undoClaim = statement<object>(
  'emails_undo_claim',
  `update deliveries set worker = null, claim = null, attempts = attempts - 1
   where project_id = any($1::text[]) and lane = $2 and due is null and claim = $3`,
)

/** Which projects have emails that may be attempted now, per lane; found by one index lookup each. */
export const findTurns = statement<{ lane: number; projectId: string }>(
  'emails_find_turns',
  `with recursive turn as (
    (select lane, project_id from deliveries where due is null order by lane, project_id limit 1)
    union all
    select n.lane, n.project_id from turn t cross join lateral (
      select d.lane, d.project_id from deliveries d where d.due is null and (d.lane, d.project_id) > (t.lane, t.project_id)
      order by d.lane, d.project_id limit 1) n
  )
  select lane::int as lane, project_id as "projectId" from turn`,
  across,
)

/** Lets up to $2 emails be attempted again whose time has come ($1 clock offset); returns one row per email. */
export const wakeDue = statement<{ id: string }>(
  'emails_wake_due',
  `with ${clock('$1')}, late as (
    select d.project_id, d.email_id from deliveries d, clock c where d.due <= c.now order by d.due limit $2 for update of d skip locked
  )
  update deliveries d set due = null from late l where d.project_id = l.project_id and d.email_id = l.email_id returning d.email_id as id`,
  across,
)

/**
 * Records how attempts ended, with their log lines, for emails whose claim still holds ($1 to $10, one entry per email: $6 is
 * the time until the next attempt in ms, null when the email has ended; $7 whether this attempt is counted; $11 now, $12 clock
 * offset). The status of an email that was opened meanwhile stays. Rows are locked in one order, emails first, as everywhere.
 * It writes a table of another module, an exception that test/owners.test.ts lists: at this rate status and log line must be
 * one statement.
 */
export const settleEmails = statement<{ id: string }>(
  'emails_settle',
  `with ${clock('$12')},
  input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::bool[], $8::text[], $9::text[], $10::jsonb[])
      as i(project_id, id, claim, status, reason, wait, counts, subject, event_name, event_data)
  ), locked as materialized (
    select e.project_id, e.id from input i join emails e on e.project_id = i.project_id and e.id = i.id
    order by e.project_id, e.id for no key update of e
  ), again as (
    update deliveries d set due = case when i.wait > 0 then c.now + i.wait * interval '1 ms' end, worker = null, claim = null,
      reason = coalesce(i.reason, d.reason), attempts = d.attempts - case when i.counts then 0 else 1 end
    from clock c, input i join locked l on l.project_id = i.project_id and l.id = i.id
    where i.wait is not null and d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
    returning d.email_id as id
  ), ended as (
    delete from deliveries d using input i join locked l on l.project_id = i.project_id and l.id = i.id
    where i.wait is null and d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
    returning d.project_id, d.email_id, d.attempts, i.status, i.reason, i.subject, i.event_name, i.event_data
  ), settled as (
    update emails e set
      status = case when e.status = 'PENDING' then x.status::email_status else e.status end,
      subject = coalesce(x.subject, e.subject), reason = x.reason, attempts = x.attempts,
      sent_at = case when x.status = 'SENT' then $11 else e.sent_at end,
      bounced_at = case when x.status = 'BOUNCED' then $11 else e.bounced_at end,
      updated_at = $11
    from ended x where e.project_id = x.project_id and e.id = x.email_id
    returning e.*, x.event_name, x.event_data
  ), logged as (
    insert into events (project_id, id, name, contact_id, email_id, data, created_at)
    select s.project_id, s.event_data ->> 'eventId', s.event_name, s.contact_id, s.id, ${emailEventData('s', 'b')} || (s.event_data - 'eventId'), $11
    from settled s
    join email_contents b on b.project_id = s.project_id and b.id = s.content_id
    join contacts c on c.project_id = s.project_id and c.id = s.contact_id and c.deleted_at is null
    where s.event_name is not null
  )
  select email_id as id from ended union all select id from again`,
)

/**
 * Renews the lease of a worker ($1 id, $2 seconds, $3 clock offset), or takes it. Returns whether it held until now: if not, other
 * workers may have claimed its emails.
 */
export const renewLease = statement<{ held: boolean | null }>(
  'emails_renew_lease',
  `with ${clock('$3')}
  insert into delivery_workers as w (id, until) select $1, c.now + $2::float8 * interval '1 s' from clock c
  on conflict (id) do update set until = excluded.until
  returning old.until > new.until - $2::float8 * interval '1 s' as held`,
  across,
)

/** Which of some claims still hold ($1 projects, $2 emails, $3 claims). */
export const findHeld = statement<{ id: string }>(
  'emails_find_held',
  `select d.email_id as id from unnest($1::text[], $2::text[], $3::text[]) as i(project_id, id, claim)
   join deliveries d on d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim`,
)

/** Ends the lease of a worker ($1) that holds no email any more, and removes those that expired more than an hour ago ($2 clock offset). */
export const endLease = statement<object>(
  'emails_end_lease',
  `with ${clock('$2')} delete from delivery_workers w using clock c where w.id = $1 or w.until < c.now - interval '1 hour'`,
  across,
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
