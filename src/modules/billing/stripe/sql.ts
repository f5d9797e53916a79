import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'

/** How many emails of the month of a report are to be reported in all, as a scalar query. */
const reportable = (report: string): string =>
  `select coalesce(sum(b.count), 0)::int from billing_usage b
   where b.project_id = ${report}.project_id and b.period = ${report}.period and b.category <> 'total'`

/** Stores the customer of a project ($2, $3 now), unless it has one that is not the `former` one ($4), and returns the stored one. */
export const storeCustomer = statement<{ customer: string }>(
  'billing_store_customer',
  `insert into billing_accounts as a (project_id, customer, created_at, updated_at) values ($1, $2, $3, $3)
   on conflict (project_id) do update set customer = case when a.customer is null or a.customer = $4 then excluded.customer else a.customer end, updated_at = $3
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

/** The account of a project, while it is one of a customer ($2). */
export const findAccount = statement<CustomerRow>(
  'billing_find_account',
  'select project_id as "projectId", subscription, version from billing_accounts where project_id = $1 and customer = $2',
)

/** Stores a state that was read at version $2, unless another one has been stored since ($3 subscription, $4 currency). */
export const storeState = statement<{ version: number }>(
  'billing_store_state',
  `update billing_accounts set subscription = $3, currency = coalesce($4, currency), version = version + 1, updated_at = $5
   where project_id = $1 and version = $2 returning version`,
)

/** Locks the reports of some months ($2), so that no report is fixed while its books are closed. */
export const lockReports = statement<object>(
  'billing_lock_reports',
  `insert into billing_reports as r (project_id, period, reported) select $1, m.period, 0 from unnest($2::date[]) as m(period) order by m.period
   on conflict (project_id, period) do update set reported = r.reported`,
)

/**
 * Closes the books of some months ($2), whose reports are locked, when a subscription begins or ends: what is still to be reported of one
 * that has ended is kept as remainders, to be reported for its customer ($3) as of the last second before its end ($4) or that of the month,
 * from $5 on. Whether all was sent under a subscription says $6: if not, only what was fixed already is reported, and the rest was free.
 */
export const closeReports = statement<object>(
  'billing_close_reports',
  `with months as (
     select r.period, r.reported, f.fixed, greatest(f.fixed, (${reportable('r')})) as total
     from billing_reports r cross join lateral (select coalesce(r.pending, r.reported) as fixed) f
     where r.project_id = $1 and r.period = any($2::date[])),
   remainders as (
     insert into billing_remainders (project_id, period, reported, pending, customer, dated_at, due_at)
     select $1, m.period, p.reported, p.pending, $3,
       least($4::timestamptz, (m.period + interval '1 month') at time zone 'UTC') - interval '1 second', $5
     from months m cross join lateral (values (m.reported, m.fixed), (m.fixed, case when $6::bool then m.total else m.fixed end))
       as p(reported, pending)
     where p.pending > p.reported)
   update billing_reports r set reported = m.total, pending = null from months m where r.project_id = $1 and r.period = m.period`,
)

/** Starts the free allowance when a subscription ends: all emails of the month count towards it ($2 month, $3 allowance). */
export const beginAllowance = statement<object>(
  'billing_begin_allowance',
  `insert into billing_usage (project_id, period, category, slot, count, ceiling)
   select $1, $2::date, 'total', 0, s.total, greatest($3::int, s.total) from (
     select coalesce(sum(count), 0)::int as total from billing_usage
     where project_id = $1 and period = $2::date and category not in ('total', 'deferred')) s
   on conflict (project_id, period, category, slot) do update set count = excluded.count, ceiling = excluded.ceiling`,
)

/** Stores an event of the payment provider; returns no row when it is already stored. */
export const storeStripeEvent = statement<{ id: string }>(
  'billing_store_stripe_event',
  'insert into stripe_events (id, type, received_at) values ($1, $2, $3) on conflict (id) do nothing returning id',
  { allProjects: 'an event is stored by its id before its project is known' },
)

/** Deletes events received before $1, at most $2; returns how many it has chosen. The provider repeats events for a few days only. */
export const dropEvents = batchStatement<{ count: number }>(
  'billing_drop_events',
  `with chosen as materialized (select id from stripe_events where received_at < $1 limit $2),
   gone as (delete from stripe_events where id = any(array(select id from chosen)))
   select count(*)::int as count from chosen`,
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
 * projects whose id follows $2. A number that was fixed but not reported before a crash is returned unchanged, also of a project that
 * does not pay any more, as the version before leaves it.
 */
export const fixReports = statement<Report>(
  'billing_fix_reports',
  `with due as (
     select a.project_id, u.period, u.total from billing_accounts a
     cross join lateral (select b.period, sum(b.count)::int as total from billing_usage b
       where b.project_id = a.project_id and b.period = any($1::date[]) and b.category <> 'total' group by b.period) u
     left join billing_reports r on r.project_id = a.project_id and r.period = u.period
     where a.project_id > $2 and a.customer is not null
       and (r.pending is not null or (a.subscription is not null and u.total > coalesce(r.reported, 0)))
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

/** Takes remainders that are due at $1, at most $3; each is due again at $2, so that only one process reports it at a time. */
export const takeRemainders = statement<Report & { datedAt: Date }>(
  'billing_take_remainders',
  `with due as (
     select project_id, period, reported from billing_remainders where due_at <= $1 order by due_at limit $3 for update skip locked)
   update billing_remainders r set due_at = $2 from due d
   where r.project_id = d.project_id and r.period = d.period and r.reported = d.reported
   returning r.project_id as "projectId", r.customer, r.period::text as period, r.reported, r.pending, r.dated_at as "datedAt"`,
  { allProjects: 'one scheduled job reports the usage of all projects' },
)

/** Removes a remainder ($2 month, $3 number) that was reported. */
export const endRemainder = statement<object>(
  'billing_end_remainder',
  'delete from billing_remainders where project_id = $1 and period = $2::date and reported = $3',
)

/** Puts a remainder ($2 month, $3 number) off until $4. */
export const postponeRemainder = statement<object>(
  'billing_postpone_remainder',
  'update billing_remainders set due_at = $4 where project_id = $1 and period = $2::date and reported = $3',
)

/** Emails that are not reported any more. */
export interface Unbilled {
  projectId: string
  customer: string | null
  period: string
  emails: number
}

/** Removes the remainders dated before $1, and returns them. */
export const dropRemainders = statement<Unbilled>(
  'billing_drop_remainders',
  `delete from billing_remainders where dated_at < $1
   returning project_id as "projectId", customer, period::text as period, pending - reported as emails`,
  { allProjects: 'what could not be reported is given up after the same time for all projects' },
)

/** Closes the open reports of months before $1, and returns what they leave out. */
export const dropReports = statement<Unbilled>(
  'billing_drop_reports',
  `with open as (
     select r.project_id, r.period, r.reported, greatest(r.pending, (${reportable('r')})) as total
     from billing_reports r where r.pending is not null and r.period < $1::date for update of r)
   update billing_reports r set reported = o.total, pending = null from open o
   where r.project_id = o.project_id and r.period = o.period
   returning r.project_id as "projectId", (select a.customer from billing_accounts a where a.project_id = r.project_id) as customer,
     r.period::text as period, o.total - o.reported as emails`,
  { allProjects: 'what could not be reported is given up after the same time for all projects' },
)
