import { statement } from '../../../kit/postgres/db.ts'

// Waiting emails that are counted.
const maxCounted = 100_000

/**
 * What has left from some domains on a UTC day, and what waits ($1 project, $2 ids, $3 names, $4 what emails wait for, $5 the limit of the day
 * or null, in this order per domain; $6 the day). Those of a campaign that are not queued yet wait only where the limit is reached.
 */
export const selectSendings = statement<{ id: string; sent: number; waiting: number }>(
  'domains_select_sendings',
  `select q.id, coalesce(s.sent, 0) as sent, least(${maxCounted}, queued.count + case when s.sent >= q.day_limit then later.count else 0 end)::int as waiting
   from unnest($2::text[], $3::text[], $4::text[], $5::int[]) as q(id, domain, waits_for, day_limit)
   left join domain_sendings s on s.project_id = $1 and s.domain_id = q.id and s.day = $6::date
   cross join lateral (select count(*) from (
     select from deliveries d where d.project_id = $1 and d.due is not null and d.waits_for = q.waits_for limit ${maxCounted}) w) queued
   cross join lateral (select count(*) from (
     select from campaigns k join emails e on e.project_id = $1 and e.campaign_id = k.id and e.contact_id > k.queued_up_to and e.status = 'PENDING'
     where k.project_id = $1 and k.status = 'SENDING' and k.stage = 'DELIVER' and not k.paused and k.deleted_at is null
       and split_part(k."from", '@', 2) = q.domain limit ${maxCounted}) w) later`,
)

/** Begins the warm-up of a domain ($2) at $3, or ends it (null), unless that is how it is. Returns its name where it has changed. */
export const storeWarmUp = statement<{ domain: string }>(
  'domains_store_warm_up',
  `update domains set warm_up_at = $3::timestamptz, updated_at = $4::timestamptz
   where project_id = $1 and id = $2 and (warm_up_at is null) <> ($3::timestamptz is null) returning domain`,
)
