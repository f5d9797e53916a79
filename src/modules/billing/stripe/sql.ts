import { statement } from '../../../kit/postgres/db.ts'

/** Remembers the customer of a project; the first one stays. */
export const keepCustomer = statement<{ customer: string }>(
  'billing_keep_customer',
  `insert into billing_accounts as a (project_id, customer, created_at, updated_at) values ($1, $2, $3, $3)
   on conflict (project_id) do update set customer = coalesce(a.customer, excluded.customer), updated_at = $3
   returning customer`,
)

/** Whose customer this is, and how often its state was taken over. */
export interface CustomerRow {
  projectId: string
  subscription: string | null
  version: number
}

/** The project of a customer, while the project is there. */
export const findCustomer = statement<CustomerRow>(
  'billing_find_customer',
  `select a.project_id as "projectId", a.subscription, a.version from billing_accounts a join projects p on p.id = a.project_id
   where a.customer = $1`,
)

/** Takes over a state that was read at version $2, unless another one was taken over since ($3 subscription, $4 currency). */
export const keepState = statement<{ version: number }>(
  'billing_keep_state',
  `update billing_accounts set subscription = $3, currency = coalesce($4, currency), version = version + 1, updated_at = $5
   where project_id = $1 and version = $2 returning version`,
)

/** What was sent before a subscription began is not reported to it ($1 project, $2 months). */
export const beginReports = statement<object>(
  'billing_begin_reports',
  `insert into billing_reports (project_id, period, reported)
   select $1, m.period, (select coalesce(sum(u.count), 0) from billing_usage u
     where u.project_id = $1 and u.period = m.period and u.category <> 'total')
   from unnest($2::date[]) as m(period) order by m.period
   on conflict (project_id, period) do update set reported = excluded.reported, pending = null`,
)

/** Where a subscription ends the allowance begins: all mails of the month count towards it ($2 month, $3 allowance). */
export const beginAllowance = statement<object>(
  'billing_begin_allowance',
  `insert into billing_usage (project_id, period, category, slot, count, ceiling)
   select $1, $2::date, 'total', 0, s.total, greatest($3::int, s.total) from (
     select coalesce(sum(count), 0)::int as total from billing_usage where project_id = $1 and period = $2::date and category <> 'total') s
   on conflict (project_id, period, category, slot) do update set count = excluded.count, ceiling = excluded.ceiling`,
)

/** Takes an event of the payment provider once. */
export const keepEvent = statement<{ id: string }>(
  'billing_keep_event',
  'insert into stripe_events (id, type, received_at) values ($1, $2, $3) on conflict (id) do nothing returning id',
  { allProjects: 'an event is known by its id before it is known whose it is' },
)

/** Forgets events of before $1, at most 10,000 at once; the provider repeats them for a few days only. */
export const dropEvents = statement<object>(
  'billing_drop_events',
  'delete from stripe_events where id in (select id from stripe_events where received_at < $1 limit 10000)',
  { allProjects: 'events of all projects grow old together' },
)

/** Mails the payment provider is to be told of: those after `reported`, up to `pending`. */
export interface Report {
  projectId: string
  customer: string
  period: string
  reported: number
  pending: number
}

/**
 * Fixes up to where the mails of some months ($1) are reported next, for up to $3 projects after $2 that pay. What was
 * fixed and not reported before a crash is answered again just as it was.
 */
export const fixReports = statement<Report>(
  'billing_fix_reports',
  `with due as (
     select a.project_id, u.period, u.total from billing_accounts a
     cross join lateral (select b.period, sum(b.count)::int as total from billing_usage b
       where b.project_id = a.project_id and b.period = any($1::date[]) and b.category <> 'total' group by b.period) u
     left join billing_reports r on r.project_id = a.project_id and r.period = u.period
     where a.project_id > $2 and a.subscription is not null and a.customer is not null
       and (r.pending is not null or u.total > coalesce(r.reported, 0))
     order by a.project_id, u.period limit $3),
   fixed as (
     insert into billing_reports as r (project_id, period, reported, pending) select project_id, period, 0, total from due
     on conflict (project_id, period) do update set pending = coalesce(r.pending, excluded.pending)
       where r.pending is not null or excluded.pending > r.reported
     returning r.project_id, r.period, r.reported, r.pending)
   select f.project_id as "projectId", a.customer, f.period::text as period, f.reported, f.pending
   from fixed f join billing_accounts a on a.project_id = f.project_id order by f.project_id, f.period`,
)

/** What was fixed has been reported. */
export const endReport = statement<object>(
  'billing_end_report',
  `update billing_reports set reported = pending, pending = null
   where project_id = $1 and period = $2::date and reported = $3 and pending = $4`,
)
