import { jobInsert } from '../../../kit/jobs.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'
import { clock } from '../queue/sql.ts'
import { attemptMayHaveArrived, campaignCancelled, campaignPaused, waitsForCampaign } from '../queue/waits.ts'
import { deliverQueue, lanes } from '../shapes.ts'
import { emailTally, hasLeftForCertain } from '../sql.ts'

const lane = lanes.indexOf('campaign')

// Rows that a part has found are joined with a table by their own project_id, not by $1, or looked up with a limit of one row: of a
// project of which Postgres has no statistics yet it expects one row, and would read all of them again for each that was found.

/** Stores the content of a campaign ($3 campaign), frozen as it is now: its id is $2. */
export const insertContent = statement<object>(
  'emails_insert_content',
  `insert into email_contents (project_id, id, template_id, type, subject, preview_text, html, from_address, from_name, reply_to, bytes, created_at)
   select k.project_id, $2, k.template_id, k.type, k.subject, k.preview_text, k.body, k."from", k.from_name, k.reply_to,
     1000 + 2 * (octet_length(k.body) + octet_length(k.subject)), $4
   from campaigns k where k.project_id = $1 and k.id = $3`,
)

/**
 * Adds contacts ($3, with the ids of their emails in $4) to the ledger of a campaign ($2): one email per contact, which is not queued
 * yet ($5 content, $6 now). One that is in the ledger already, or was deleted meanwhile, is left out. Returns how many were added.
 */
export const insertRecipients = statement<{ count: number }>(
  'emails_insert_recipients',
  `with mail as (
     insert into emails (project_id, id, contact_id, content_id, campaign_id, source, to_address, subject, created_at, updated_at)
     select $1, r.id, c.id, $5, $2, 'CAMPAIGN', c.email, b.subject, $6, $6
     from (select $1::text as project_id, i.contact_id, i.id from unnest($3::text[], $4::text[]) as i(contact_id, id) offset 0) r
     cross join lateral (select * from contacts o where o.project_id = r.project_id and o.id = r.contact_id limit 1) c
     cross join (select o.subject from email_contents o where o.project_id = $1 and o.id = $5) b
     where c.deleted_at is null order by c.id
     on conflict (project_id, campaign_id, contact_id) where campaign_id is not null do nothing
     returning project_id
   ), tally as (${emailTally('select project_id, count(*)::int as change from mail group by project_id')})
   select count(*)::int as count from mail`,
)

/**
 * Queues the next emails of a campaign ($2) after a contact ($3), at most $4, with a job for the workers: those that have ended, since
 * the queue was taken back, take nothing of a rate. Returns how many, and the last contact; null when there was none.
 */
export const queueNext = statement<{ count: number; last: string | null }>(
  'emails_queue_next',
  `with next as materialized (
     select e.id, e.contact_id from emails e
     where e.project_id = $1 and e.campaign_id = $2 and e.contact_id > $3 and e.campaign_id is not null and e.status = 'PENDING'
     order by e.contact_id limit $4
   ), queued as (
     insert into deliveries (project_id, email_id, campaign_id, lane)
     select $1, n.id, $2, ${lane} from next n order by n.id
     on conflict do nothing returning email_id
   ), job as (${jobInsert(deliverQueue, `(select jsonb_build_object('turns', jsonb_build_array(jsonb_build_array($1::text, 'campaign'))) as payload where exists (select from queued))`)})
   select (select count(*)::int from queued) as count, (select max(contact_id) from next) as last`,
)

/** How many emails of a campaign are queued: all of them, those that wait for a later attempt, and those that a worker has claimed. */
export interface QueuedCounts {
  queued: number
  deferred: number
  claimed: number
}

/** How many emails of a campaign ($2) are queued. */
export const countQueued = statement<QueuedCounts>(
  'emails_count_queued',
  `select count(*)::int as queued, count(d.due)::int as deferred, count(d.claim)::int as claimed
   from deliveries d where d.project_id = $1 and d.campaign_id = $2`,
)

/** Puts the queued emails of a campaign ($2) aside that no worker has claimed ($3 ms, $4 clock offset). */
export const putAside = statement<object>(
  'emails_put_aside',
  `with ${clock('$4')}, waiting as (
     select d.project_id, d.email_id from deliveries d where d.project_id = $1 and d.campaign_id = $2 and d.due is null and d.worker is null
     order by d.email_id for update skip locked
   )
   update deliveries d set due = c.now + $3::float8 * interval '1 ms', reason = '${campaignPaused}', waits_for = '${waitsForCampaign}'
   from waiting w, clock c where d.project_id = w.project_id and d.email_id = w.email_id`,
)

/** Takes the emails of a campaign ($2) back that were put aside, with a job for the workers. */
export const takeBack = statement<object>(
  'emails_take_back',
  `with aside as (
     select d.project_id, d.email_id from deliveries d
     where d.project_id = $1 and d.campaign_id = $2 and d.due is not null and d.waits_for = '${waitsForCampaign}' order by d.email_id for update
   ), back as (
     update deliveries d set due = null, reason = null, waits_for = null from aside a
     where d.project_id = a.project_id and d.email_id = a.email_id returning d.email_id
   ), job as (${jobInsert(deliverQueue, `(select jsonb_build_object('turns', jsonb_build_array(jsonb_build_array($1::text, 'campaign'))) as payload where exists (select from back))`)})
   select 1`,
)

// Of what was removed with its contact, only that it had left is known.
const departed = (campaign: string) => `select from campaign_departures g where g.project_id = $1 and g.campaign_id = ${campaign}`
const sentUpTo = (campaign: string, upTo = 'true') => `(exists (
       select from emails e where e.project_id = $1 and e.campaign_id = ${campaign} and ${upTo} and ${hasLeftForCertain('e')})
     or exists (${departed(campaign)} and g.sent))`

// One that is being sent, or whose answer was lost.
const mayHaveLeft = (campaign: string, upTo = 'true') => `exists (
       select from deliveries d where d.project_id = $1 and d.campaign_id = ${campaign} and (d.claim is not null or d.uncertain))
     or exists (select from emails e where e.project_id = $1 and e.campaign_id = ${campaign} and ${upTo} and e.uncertain)
     or exists (${departed(campaign)})`
const upTo = 'e.contact_id <= $3'

/** Whether an email of a campaign ($2) up to a contact ($3) has left for certain. */
export const hasSent = statement<{ sent: boolean }>('emails_has_sent', `select ${sentUpTo('$2', upTo)} as sent`)

/** Whether an email of a campaign ($2) up to a contact ($3) has left, or may have: one that is being sent, or whose answer was lost. */
export const hasLeft = statement<{ left: boolean }>(
  'emails_has_left',
  `select ${sentUpTo('$2', upTo)} or ${mayHaveLeft('$2', upTo)} as left`,
)

/**
 * Which campaigns ($2) have emails that have left, or may have, as above; `sent` for certain. Unlike for one campaign, it is not known up
 * to which contact to look.
 */
export const findLeft = statement<{ id: string; sent: boolean }>(
  'emails_find_left',
  `select c.id, s.sent from unnest($2::text[]) as c(id)
   cross join lateral (select ${sentUpTo('c.id')} as sent) s where s.sent or ${mayHaveLeft('c.id')}`,
)

/**
 * Takes up to $3 emails of campaigns ($2) out of the queue that no worker has claimed and of which none may have left; returns how many. It
 * waits for claims that are being made, so that afterwards each is either visible or not made any more.
 */
export const takeOut = statement<{ count: number }>(
  'emails_take_out',
  `with waiting as (
     select d.project_id, d.email_id from deliveries d
     where d.project_id = $1 and d.campaign_id = any($2::text[]) and d.claim is null and not d.uncertain
     order by d.email_id limit $3 for update
   ), gone as (
     delete from deliveries d using waiting w where d.project_id = w.project_id and d.email_id = w.email_id returning d.email_id
   )
   select count(*)::int as count from gone`,
)

/**
 * Cancels the next emails of a campaign ($2) after a contact ($3), at most $4, that have not ended and that no worker has claimed
 * ($5 now). One that was opened has arrived, although the answer about it was lost: it stays in the queue, and is looked at at once, to be
 * recorded as sent. Returns the last contact that was looked at; null at the end.
 */
export const cancelNext = statement<{ last: string | null }>(
  'emails_cancel_next',
  `with next as materialized (
     select e.project_id, e.id, e.contact_id, e.status from emails e where e.project_id = $1 and e.campaign_id = $2 and e.contact_id > $3
     order by e.contact_id limit $4
   ), open as materialized (
     select e.project_id, e.id from next n join emails e on e.project_id = n.project_id and e.id = n.id where e.status = 'PENDING'
       and (select true from deliveries d where d.project_id = n.project_id and d.email_id = n.id and d.claim is not null limit 1) is null
     order by e.id for no key update of e
   ), ended as (
     delete from deliveries d using open o where d.project_id = o.project_id and d.email_id = o.id and d.claim is null returning d.email_id, d.uncertain
   ), arrived as (
     update deliveries d set due = null from next n
     where n.status in ('OPENED', 'CLICKED') and d.project_id = n.project_id and d.email_id = n.id and d.claim is null and d.uncertain
   ), cancelled as (
     update emails e set status = 'CANCELLED', updated_at = $5, uncertain = o.uncertain,
       reason = '${campaignCancelled}' || case when o.uncertain then ' ${attemptMayHaveArrived}' else '' end
     from (select o.*, o.id in (select x.email_id from ended x where x.uncertain) as uncertain from open o) o
     where e.project_id = o.project_id and e.id = o.id
   )
   select (select max(contact_id) from next) as last`,
)

/** Whether the ledger of a campaign ($2) goes on after a contact ($3). */
export const hasNext = statement<{ more: boolean }>(
  'emails_has_next',
  'select exists (select from emails e where e.project_id = $1 and e.campaign_id = $2 and e.contact_id > $3) as more',
)

/**
 * Takes the emails of a campaign ($2) out of the queue that were never attempted and that no worker has claimed. Returns the last contact
 * before them; null when there were none.
 */
export const unqueue = statement<{ upTo: string | null }>(
  'emails_unqueue',
  `with waiting as (
     select d.project_id, d.email_id from deliveries d
     where d.project_id = $1 and d.campaign_id = $2 and d.worker is null and d.attempts = 0 order by d.email_id for update skip locked
   ), gone as (
     delete from deliveries d using waiting w where d.project_id = w.project_id and d.email_id = w.email_id returning d.project_id, d.email_id
   ), first as (
     select min(e.contact_id) as contact_id from gone g
     cross join lateral (select o.contact_id from emails o where o.project_id = g.project_id and o.id = g.email_id limit 1) e
   )
   select case when f.contact_id is not null then coalesce(
     (select max(e.contact_id) from emails e where e.project_id = $1 and e.campaign_id = $2 and e.contact_id < f.contact_id), '') end as "upTo"
   from first f`,
)

/** Removes up to $3 emails from the ledger of a campaign ($2) that nothing was sent of; returns how many, 0 when none is left. */
export const removeRecipients = batchStatement<{ count: number }>(
  'emails_remove_recipients',
  `with chosen as materialized (select id from emails where project_id = $1 and campaign_id = $2 order by contact_id limit $3),
   gone as (delete from emails where project_id = $1 and id = any(array(select id from chosen)) returning project_id),
   tallied as (${emailTally('select project_id, -count(*)::int as change from gone group by project_id')})
   select count(*)::int as count from chosen`,
)
