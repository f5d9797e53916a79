import { statement } from '../../../kit/postgres/db.ts'
import { clock } from '../queue/sql.ts'

/** How many emails of a domain may leave. */
export interface GrantedRow {
  projectId: string
  domainId: string
  domain: string
  /** How many of those that may be held up may leave. */
  granted: number
  /** How long it is until the next day begins, in ms. */
  waitMs: number
}

/**
 * Takes what may leave today of domains that are warmed up ($1 projects, $2 domains, $3 how many emails are never held up, $4 how many
 * may be, one entry per domain; $5 the limit of each day of a warm-up, $6 clock offset). Rows are locked in one order, so that all
 * workers together never let more leave; a domain that is not warmed up any more has no row. The day is that of Postgres's clock in UTC.
 */
export const takeShares = statement<GrantedRow>(
  'emails_take_shares',
  `with ${clock('$6')}, today as materialized (
     select c.now, (c.now at time zone 'UTC')::date as day from clock c
   ), held as materialized (
     select s.project_id, s.domain_id, d.domain, q.urgent, q.others, t.now, t.day, case when s.day = t.day then s.sent else 0 end as sent,
       ($5::int[])[greatest(1, t.day - (d.warm_up_at at time zone 'UTC')::date + 1)] as day_limit
     from unnest($1::text[], $2::text[], $3::int[], $4::int[]) as q(project_id, domain_id, urgent, others)
     join domain_sendings s on s.project_id = q.project_id and s.domain_id = q.domain_id
     join domains d on d.project_id = q.project_id and d.id = q.domain_id and d.warm_up_at is not null
     cross join today t order by s.project_id, s.domain_id for no key update of s
   ), shared as (
     select h.*, case when h.day_limit is null then h.others else least(h.others, greatest(0, h.day_limit - h.sent - h.urgent)) end as granted from held h
   ), taken as (
     update domain_sendings s set day = h.day, sent = h.sent + h.urgent + h.granted
     from shared h where s.project_id = h.project_id and s.domain_id = h.domain_id
   )
   select h.project_id as "projectId", h.domain_id as "domainId", h.domain, h.granted,
     extract(epoch from (h.day + 1)::timestamp at time zone 'UTC' - h.now)::float8 * 1000 as "waitMs"
   from shared h`,
)

/** Gives shares ($3 counts) of domains ($1 projects, $2 domains) back that were taken today and not used ($4 clock offset). */
export const returnShares = statement<object>(
  'emails_return_shares',
  `with ${clock('$4')}, returned as (
     select s.project_id, s.domain_id, q.count
     from unnest($1::text[], $2::text[], $3::int[]) as q(project_id, domain_id, count)
     join domain_sendings s on s.project_id = q.project_id and s.domain_id = q.domain_id
     cross join clock c where s.day = (c.now at time zone 'UTC')::date order by s.project_id, s.domain_id for no key update of s
   )
   update domain_sendings s set sent = greatest(0, s.sent - r.count) from returned r
   where s.project_id = r.project_id and s.domain_id = r.domain_id`,
)

/** Makes the row that counts what leaves from a domain ($2), unless there is one ($3 clock offset). */
export const openSendings = statement<object>(
  'emails_open_sendings',
  `with ${clock('$3')} insert into domain_sendings (project_id, domain_id, day, sent)
   select $1, $2, (c.now at time zone 'UTC')::date, 0 from clock c on conflict do nothing`,
)
