import { statement } from '../../../kit/postgres/db.ts'
import { maxStoredBytes } from '../../contacts/data.ts'
import { hasOptedOut } from '../../contacts/sql.ts'
import { turnsOwnerOf } from '../../projects/owner.ts'
import type { SuppressionReason } from '../../suppressions/shapes.ts'
import type { Recipient } from '../message/content.ts'
import { bytesInMemory } from '../sql.ts'
import { copiesWorker } from './waits.ts'

/** An email that a worker has claimed, with everything that decides whether it is sent; claimed and read in one round trip. */
export interface ClaimedRow extends Omit<Recipient, 'contactData'>, Decisions {
  contentId: string
  fromAddress: string
  /** The account that owns its project: the oldest owner, or the project itself where it has none. */
  account: string
  /** Whether emails of its project were accepted at least a day ago. */
  established: boolean
  /** The size of the HTML and text templates. */
  bodyBytes: number
  /** About how many bytes the content takes in memory, with its attachments. */
  contentBytes: number
  /** Null when it is large: it is read when there is memory for it. */
  contactData: Recipient['contactData'] | null
  /** The size of `contactData` as JSON, or more. */
  contactDataBytes: number
  attempts: number
  /** The copies that alone it is offered to, because its own end is recorded; null for another. */
  copies: string[] | null
  /** How long ago it was attempted first, in ms by the clock of Postgres; less for the time that it has waited for its sender domain. */
  sinceFirstMs: number
  /** How long it has waited for its sender domain, in ms; 0 when that was verified at the last look. */
  sinceUnverifiedMs: number
  domainId: string | null
  /** Whether `links.<domain>` of the sender leads here, as far as the last check found. */
  hasOwnLinks: boolean
}

/** What decides whether an email is sent. */
export interface Decisions {
  /**
   * An earlier attempt, whose answer was lost, did arrive: the email was opened, its recipient has unsubscribed with a link of it, or a
   * provider has reported what became of it.
   */
  arrived: boolean
  /** Whether an earlier attempt may have succeeded: its answer was lost, or the worker stopped. */
  uncertain: boolean
  contactDeleted: boolean
  /** Whether it is marketing, and its contact, or the one that has its address now, has opted out. */
  optedOut: boolean
  /** Whether it is an email to its contact, of a campaign or workflow, and the contact has another address now. */
  addressChanged: boolean
  /** Whether it is marketing to an address that no contact has now: then only a keyed hash says whether it has opted out. */
  addressUnowned: boolean
  /**
   * Why the campaign of the email does not go on at the moment; null when it does, and for other emails. `stopped`: it is not the time
   * of the campaign in which its emails leave, or the email is of an earlier one.
   */
  campaign: 'stopped' | 'paused' | null
  suppressed: SuppressionReason | null
  /** Whether the address is suppressed because this email bounced: the worker stopped before that was recorded. */
  bounced: boolean
  disabled: boolean
  /** What its sender domain is; always `verified` for emails of campaigns, which wait by themselves. */
  senderDomain: 'verified' | 'unverified' | 'deleted'
  /** Whether the sender domain is warmed up: then a limit per day holds. */
  warmsUp: boolean
}

/** One row per claimed email; a project without one has a row whose `id` is null. */
export type TurnRow = { projectId: string; granted: number } & (ClaimedRow | { id: null })

// Bytes of custom data that is read with a claim; larger data, and all that Postgres has compressed, is read later.
const maxInlineData = 4_000

const across = { allProjects: 'one worker delivers for all projects; rows are joined by their project_id' }

/** A CTE with the time ($n: a test's offset in ms): claims and attempts use Postgres's clock, because those of machines differ. */
export const clock = (ahead: string): string =>
  `clock as materialized (select clock_timestamp() + ${ahead}::float8 * interval '1 ms' as now)`

// A bucket that was written later than now by more than this was written before the clock of Postgres was set back.
const isAhead = (writtenAt: string, now: string): string => `${writtenAt} > ${now} + interval '5 seconds'`

// The sending rate of a project is a token bucket that holds the tokens of one second. Tokens are taken here, when emails are
// about to be sent, and given back by those that did not leave; other lanes wait for the transactional one.
const turns = `turns as materialized (
  select q.project_id, q.after,
    ${turnsOwnerOf('q.project_id')} as account,
    exists (select from reputation_hours h where h.project_id = q.project_id and h.sent > 0 and h.hour <= c.now - interval '1 day') as established,
    ${isAhead('b.updated_at', 'c.now')} as ahead,
    case when extract(epoch from c.now) * 1000 > $10::float8 then 0
      when $7::float8 = 0 then q.want
      when exists (select from deliveries t where t.lane < $4 and t.project_id = q.project_id and t.due is null and t.worker is null) then 0
      else least(q.want, floor(least($7, coalesce(b.tokens + greatest(0, extract(epoch from c.now - b.updated_at)) * $7, $7))))::int end as granted
  from unnest($1::text[], $2::text[], $3::int[]) as q(project_id, after, want)
  cross join clock c
  left join lateral (select s.tokens, s.updated_at from send_buckets s where $7 > 0 and s.project_id = q.project_id for update) b on true
)`

// Whether a contact is not sent marketing: one that was never subscribed is, but not by campaigns.
const refuses = (contact: string): string => `(not ${contact}.subscribed and e.campaign_id is not null or ${hasOptedOut(contact)})`

// What decides whether an email is sent, of its row `e` and a row of its delivery. Where the answer of the mail server is not known, a
// person's open proves that the email has arrived, and that of a program does not, which leaves its status: some servers open links before
// they answer. What a provider reports always does. A bounce, which is recorded before it is the outcome, also unsubscribes because of the email, but not with
// a link of it.
const decisions = (delivery: string): string => `(${delivery}.uncertain and (e.status in ('OPENED', 'CLICKED') or exists (
      select from events v where v.project_id = e.project_id and v.contact_id = any(array[c.id, h.id]) and v.name = 'contact.unsubscribed'
        and v.email_id = e.id and v.data ->> 'source' in ('page', 'one_click'))))
      or coalesce(e.delivered_at, e.bounced_at, e.complained_at) is not null as arrived, ${delivery}.uncertain, c.deleted_at is not null as "contactDeleted",
    b.type <> 'TRANSACTIONAL' and (${refuses('c')} or ${refuses('h')}) is true as "optedOut",
    (e.campaign_id is not null or ${delivery}.to_contact) and c.email <> e.to_address as "addressChanged",
    b.type <> 'TRANSACTIONAL' and c.email <> e.to_address and h.id is null as "addressUnowned",
    case when s.reason <> 'UNSUBSCRIBED' or b.type <> 'TRANSACTIONAL' then s.reason end as suppressed,
    (s.reason = 'BOUNCE' and s.email_id = e.id) is true as bounced, p.disabled or p.erasing_at is not null as disabled,
    case when e.campaign_id is null then null when g.status is distinct from 'SENDING' or g.stage is distinct from 'DELIVER' then 'stopped'
      when g.paused or g.held or p.disabled or d.status is distinct from 'VERIFIED' then 'paused' end as campaign, 
    case when e.campaign_id is not null or d.status = 'VERIFIED' then 'verified' when d.status is null then 'deleted' else 'unverified' end as "senderDomain",
    d.warm_up_at is not null as "warmsUp"`
// The contact that has the address of the email now (`h`) is looked up only where it is not its own.
const decidedBy = `left join lateral (select * from projects o where o.id = e.project_id limit 1) p on true
  left join lateral (select * from contacts o where o.project_id = e.project_id and o.id = e.contact_id limit 1) c on true
  left join lateral (
    select * from contacts o where o.project_id = e.project_id and o.email = e.to_address and c.email <> e.to_address limit 1) h on true
  left join lateral (select o.status, o.stage, o.paused, o.held from campaigns o where o.project_id = e.project_id and o.id = e.campaign_id limit 1) g on true
  left join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) b on true
  left join lateral (
    select * from domains o where o.project_id = e.project_id and o.domain = split_part(b.from_address, '@', 2) limit 1) d on true
  left join lateral (select * from suppressions o where o.project_id = e.project_id and o.email = e.to_address limit 1) s on true`

// The worker that has claimed a delivery.
const holder = `replace(d.worker, '${copiesWorker}:', '')`

/**
 * Claims the oldest emails of some projects ($1 projects, sorted, $2 the id after which to look, $3 how many at most; $4 lane,
 * $5 worker, $6 claim, $7 emails per second and project, $8 clock offset, $9 whether to take over those of other workers whose
 * lease has expired: the rows of their leases are locked, so that a lease that is being renewed is not taken for an expired one;
 * $10 the end of the lease of this worker by Postgres's clock, in ms since 1970: a statement that arrives later, from a connection
 * that was lost meanwhile, claims nothing).
 * Hand-written because taking the sending rate, claiming, and reading what decides on an email must be one
 * round trip, and locked rows must be skipped. A limit of one row makes Postgres look it up by its whole key, whatever the
 * statistics say.
 */
export const claimTurns = statement<TurnRow>(
  'emails_claim_turns',
  `with ${clock('$8')},
  known as materialized (select coalesce(array_agg(w.id), '{}') as ids from delivery_workers w),
  dead as materialized (
    select coalesce(array_agg(l.id), '{}') as ids from (
      select w.id from delivery_workers w, clock c where $9 and w.id <> $5 and w.until <= c.now order by w.id
      for no key update of w skip locked) l
  ),
  ${turns},
  ready as (
    select r.project_id, r.email_id from turns t cross join lateral (
      select d.project_id, d.email_id from deliveries d
      where d.lane = $4 and d.project_id = t.project_id and d.due is null and d.email_id > t.after
        and (d.worker is null or d.worker = '${copiesWorker}' or ($9 and ${holder} <> $5 and (
          ${holder} = any((select ids from dead)::text[]) or not ${holder} = any((select ids from known)::text[]))))
      order by d.email_id limit t.granted for update skip locked) r
  ),
  mine as (
    update deliveries d set worker = case when d.copies is null then $5 else '${copiesWorker}:' || $5 end, claim = $6, attempts = d.attempts + 1, first_at = coalesce(d.first_at, c.now),
      uncertain = d.uncertain or coalesce(d.worker <> '${copiesWorker}', false)
    from ready r, clock c where d.project_id = r.project_id and d.email_id = r.email_id
    returning d.project_id, d.email_id, d.attempts, d.first_at, d.unverified_at, d.uncertain, d.to_contact, d.copies
  ),
  spent as (
    insert into send_buckets as b (project_id, tokens, updated_at)
    select u.project_id, $7 - sum(u.taken), c.now
    from (select m.project_id, 1 as taken from mine m union all select t.project_id, 0 from turns t where t.ahead) u, clock c
    where $7 > 0 group by u.project_id, c.now order by u.project_id
    on conflict (project_id) do update set
      tokens = least($7, b.tokens + greatest(0, extract(epoch from excluded.updated_at - b.updated_at)) * $7) - ($7 - excluded.tokens),
      updated_at = case when ${isAhead('b.updated_at', 'excluded.updated_at')} then excluded.updated_at
        else greatest(b.updated_at, excluded.updated_at) end
  )
  select t.project_id as "projectId", t.granted, t.account, t.established, e.id, e.contact_id as "contactId", e.content_id as "contentId", e.source::text as source, e.campaign_id as "campaignId", e.to_address as "toAddress",
    e.to_name as "toName", b.from_address as "fromAddress", m.attempts, octet_length(b.html) + coalesce(octet_length(b.text), 0) as "bodyBytes", ${bytesInMemory('b')} as "contentBytes",
    e.created_at as "createdAt", c.subscribed,
    case when pg_column_size(c.data) <= ${maxInlineData} and pg_column_compression(c.data) is null then c.data end as "contactData",
    case when pg_column_compression(c.data) is null then pg_column_size(c.data) else ${maxStoredBytes} end as "contactDataBytes", p.name as "projectName", p.tracking, p.language, p.utm,
    coalesce(d.own_links, false) as "hasOwnLinks", d.id as "domainId", m.copies,
    extract(epoch from k.now - m.first_at - greatest(k.now - m.unverified_at, '0'))::float8 * 1000 as "sinceFirstMs",
    extract(epoch from greatest(k.now - m.unverified_at, '0'))::float8 * 1000 as "sinceUnverifiedMs", ${decisions('m')}
  from turns t
  cross join clock k
  left join mine m on m.project_id = t.project_id
  left join lateral (select * from emails o where o.project_id = m.project_id and o.id = m.email_id limit 1) e on true
  ${decidedBy}
  order by e.id`,
  across,
)

/** Makes full token buckets ($2 tokens, $3 clock offset) for projects ($1) without one: a claim can only lock one that exists. */
export const openBuckets = statement<object>(
  'emails_open_buckets',
  `with ${clock('$3')} insert into send_buckets (project_id, tokens, updated_at)
   select q.project_id, $2::float8, c.now from unnest($1::text[]) as q(project_id), clock c order by q.project_id on conflict do nothing`,
)

/** Gives tokens ($2 counts) back to the buckets of projects ($1), which hold at most $3. */
export const returnTokens = statement<object>(
  'emails_return_tokens',
  `with returned as (
     select b.project_id, q.count from unnest($1::text[], $2::int[]) as q(project_id, count) join send_buckets b on b.project_id = q.project_id
     order by b.project_id for update of b
   )
   update send_buckets b set tokens = least($3::float8, b.tokens + r.count) from returned r where b.project_id = r.project_id`,
)

/** What decides whether emails are sent, read again ($1 projects, $2 emails, $3 claims); only those whose claim still holds. */
export const readDecisions = statement<{ id: string } & Decisions>(
  'emails_read_decisions',
  `select e.id, ${decisions('q')} from unnest($1::text[], $2::text[], $3::text[]) as i(project_id, id, claim)
   join deliveries q on q.project_id = i.project_id and q.email_id = i.id and q.claim = i.claim
   cross join lateral (select * from emails o where o.project_id = q.project_id and o.id = q.email_id limit 1) e
   ${decidedBy}`,
)

/**
 * Gives back what claims ($3) may have taken in some lanes of projects ($1 and $2, one entry per pair), when their answers were
 * lost; it was no attempt. Returns the time of Postgres's clock ($4 offset), in ms since 1970.
 */
export const undoClaims = statement<{ nowMs: number }>(
  'emails_undo_claims',
  `with ${clock('$4')}, undone as (
    update deliveries d set worker = case when d.copies is not null then '${copiesWorker}' end, claim = null, attempts = d.attempts - 1, first_at = case when d.attempts > 1 then d.first_at end
    from unnest($1::text[], $2::int[]) as q(project_id, lane)
    where d.project_id = q.project_id and d.lane = q.lane and d.due is null and d.claim = any($3::text[])
  )
  select extract(epoch from c.now)::float8 * 1000 as "nowMs" from clock c`,
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
  update deliveries d set due = null, waits_for = null from late l where d.project_id = l.project_id and d.email_id = l.email_id returning d.email_id as id`,
  across,
)

/**
 * Lets up to $5 emails be attempted again that wait for something ($3, a WaitsFor), of a project ($4; null: of all), and not longer than $2 ms
 * from now ($1 clock offset): those in the index by time are few enough to be looked at. Returns one row per email.
 */
export const wakePaused = statement<{ id: string }>(
  'emails_wake_paused',
  `with ${clock('$1')}, waiting as (
    select d.project_id, d.email_id from deliveries d, clock c
    where d.due > c.now and d.due <= c.now + $2::float8 * interval '1 ms' and d.waits_for = $3 and ($4::text is null or d.project_id = $4)
    order by d.due limit $5 for update of d skip locked
  )
  update deliveries d set due = null, waits_for = null from waiting w where d.project_id = w.project_id and d.email_id = w.email_id returning d.email_id as id`,
  across,
)

/**
 * Which of some claims still hold ($1 projects, $2 emails, $3 claims). Rows are locked in one order, so that a worker that is taking
 * one over has done so, or has not begun.
 */
export const findHeld = statement<{ id: string }>(
  'emails_find_held',
  `select d.email_id as id from unnest($1::text[], $2::text[], $3::text[]) as i(project_id, id, claim)
   join deliveries d on d.project_id = i.project_id and d.email_id = i.id and d.claim = i.claim
   order by d.project_id, d.email_id for no key update of d`,
)
