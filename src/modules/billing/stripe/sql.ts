import { statement } from '../../../kit/postgres/db.ts'

/** Stores the customer of a project, unless it has one, and returns the stored one. */
export const storeCustomer = statement<{ customer: string }>(
  'billing_store_customer',
  `insert into billing_accounts as a (project_id, customer, created_at, updated_at) values ($1, $2, $3, $3)
   on conflict (project_id) do update set customer = coalesce(a.customer, excluded.customer), updated_at = $3
   returning customer`,
)

/** The project of a customer. `version` counts the updates of its stored state. */
export interface CustomerRow {
  projectId: string
  subscription: string | null
  version: number
}

/** Finds the project of a customer; none when the project has been deleted. */
export const findCustomer = statement<CustomerRow>(
  'billing_find_customer',
  `select a.project_id as "projectId", a.subscription, a.version from billing_accounts a join projects p on p.id = a.project_id
   where a.customer = $1`,
  { allProjects: 'the project is determined by the customer' },
)

/** Stores a state that was read at version $2, unless another one has been stored since ($3 subscription, $4 currency). */
export const storeState = statement<{ version: number }>(
  'billing_store_state',
  `update billing_accounts set subscription = $3, currency = coalesce($4, currency), version = version + 1, updated_at = $5
   where project_id = $1 and version = $2 returning version`,
)

/** Marks what was sent before a subscription started as reported, so that it is not billed ($1 project, $2 months). */
export const beginReports = statement<object>(
  'billing_begin_reports',
  `insert into billing_reports (project_id, period, reported)
   select $1, m.period, (select coalesce(sum(u.count), 0) from billing_usage u
     where u.project_id = $1 and u.period = m.period and u.category <> 'total')
   from unnest($2::date[]) as m(period) order by m.period
   on conflict (project_id, period) do update set reported = excluded.reported, pending = null`,
)

/** Starts the free allowance when a subscription ends: all emails of the month count towards it ($2 month, $3 allowance). */
export const beginAllowance = statement<object>(
  'billing_begin_allowance',
  `insert into billing_usage (project_id, period, category, slot, count, ceiling)
   select $1, $2::date, 'total', 0, s.total, greatest($3::int, s.total) from (
     select coalesce(sum(count), 0)::int as total from billing_usage where project_id = $1 and period = $2::date and category <> 'total') s
   on conflict (project_id, period, category, slot) do update set count = excluded.count, ceiling = excluded.ceiling`,
)

/** Stores an event of the payment provider; returns no row when it is already stored. */
export const storeStripeEvent = statement<{ id: string }>(
  'billing_store_stripe_event',
  'insert into stripe_events (id, type, received_at) values ($1, $2, $3) on conflict (id) do nothing returning id',
  { allProjects: 'an event is stored by its id before its project is known' },
)

/** Deletes events received before $1, at most 10,000 at once. The provider repeats events for a few days only. */
export const dropEvents = statement<object>(
  'billing_drop_events',
  'delete from stripe_events where id in (select id from stripe_events where received_at < $1 limit 10000)',
  { allProjects: 'events of all projects are deleted after the same time' },
)

/** Emails to report to the payment provider: those after number `reported`, up to number `pending`. */
export interface Report {
  projectId: string
  customer: string
  period: string
  reported: number
  pending: number
}

/**
 * Fixes the number up to which the emails of the given months ($1) are reported next, for at most $3 reports of paying
 * projects whose id follows $2. A number that was fixed but not reported before a crash is returned unchanged.
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
  { allProjects: 'one scheduled job reports the usage of all projects' },
)

/** Marks a fixed number as reported. */
export const endReport = statement<object>(
  'billing_end_report',
  `update billing_reports set reported = pending, pending = null
   where project_id = $1 and period = $2::date and reported = $3 and pending = $4`,
)
