import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { changedOf } from '../../kit/unchanged.ts'
import { type Category, categories } from './shapes.ts'

/** The number of rows that a month's uncapped count is spread over, so that parallel sends of one project seldom wait for each other. */
export const shards = 8

const capOf = (account: string, category: string): string =>
  `case ${category} when 'workflows' then ${account}.workflows when 'campaigns' then ${account}.campaigns
    when 'transactional' then ${account}.transactional when 'inbound' then ${account}.inbound end`

/**
 * Counts emails against their caps, as CTEs of the statement that accepts them, so that both happen or neither. The parameter
 * is a JSON list of { project_id, period, category, count, shard, allowance }, one entry per project, month and category. A cap
 * is the ceiling of shard 0 (column `slot`): exceeding it violates `billing_usage_ceiling`, which rolls the whole statement
 * back. Without a cap the count goes to the given shard. Rows are locked in order, so that two groups cannot deadlock.
 */
export function usageCharge(parameter: string): string {
  return `charge as (
    select c.*, ${capOf('a', 'c.category')} as cap, case when a.subscription is null then c.allowance end as free
    from json_to_recordset(${parameter}::json) as c(project_id text, period date, category text, count int, shard int, allowance int)
    left join billing_accounts a on a.project_id = c.project_id),
  charged as (
    insert into billing_usage as u (project_id, period, category, slot, count, ceiling)
    select project_id, period, category, case when cap is null then shard else 0 end, count, cap from charge
    union all
    select project_id, period, 'total', 0, sum(count)::int, min(free) from charge where free is not null group by project_id, period
    order by 1, 2, 3, 4
    on conflict (project_id, period, category, slot) do update set count = u.count + excluded.count)`
}

/** Counts charges ($1, as for `usageCharge`) in a statement of their own. */
export const countUsage = statement<object>('billing_count_usage', `with ${usageCharge('$1')} select 1`)

const addDeferred = `on conflict (project_id, period, category, slot) do update set count = u.count + excluded.count`

/**
 * Takes a charge ($2 its id, $3 month, $4 emails) off what is reported, if the project pays. Hand-written because the two rows must agree
 * with the subscription of that moment.
 */
export const deferCharge = statement<object>(
  'billing_defer_charge',
  `with deferral as (
     insert into billing_deferrals (project_id, id, period, count)
     select a.project_id, $2, $3::date, $4::int from billing_accounts a where a.project_id = $1 and a.subscription is not null
     on conflict (project_id, id) do update set period = excluded.period, count = excluded.count returning period, count)
   insert into billing_usage as u (project_id, period, category, slot, count) select $1, period, 'deferred', 0, -count from deferral
   ${addDeferred}`,
)

/** Ends the deferral of a charge ($2; null for all of the project): it counts in the month $3. */
export const settleDeferrals = statement<object>(
  'billing_settle_deferrals',
  `with settled as (
     delete from billing_deferrals where project_id = $1 and id = coalesce($2, id) returning count)
   insert into billing_usage as u (project_id, period, category, slot, count)
   select $1, $3::date, 'deferred', 0, sum(count)::int from settled having count(*) > 0
   ${addDeferred}`,
)

/** Ends the deferral of a charge ($2) that is given back, and makes up for its emails ($4) in what is reported of its month ($3). */
export const returnDeferral = statement<object>(
  'billing_return_deferral',
  `with ended as (delete from billing_deferrals where project_id = $1 and id = $2)
   insert into billing_usage as u (project_id, period, category, slot, count) values ($1, $3::date, 'deferred', 0, $4::int)
   ${addDeferred}`,
)

/** The ids of a project's deferred charges. */
export const findDeferrals = statement<{ id: string }>(
  'billing_find_deferrals',
  'select id from billing_deferrals where project_id = $1 order by id',
)

/** Whether a charge ($2) is deferred. */
export const findDeferral = statement<object>('billing_find_deferral', 'select from billing_deferrals where project_id = $1 and id = $2')

/** The caps of a project, and its customer and subscription at the payment provider. */
export interface AccountRow {
  customer: string | null
  subscription: string | null
  currency: string | null
  workflows: number | null
  campaigns: number | null
  transactional: number | null
  inbound: number | null
}

/** Finds the caps, customer and subscription of a project. */
export const findBillingAccount = statement<AccountRow>(
  'billing_find_billing_account',
  'select customer, subscription, currency, workflows, campaigns, transactional, inbound from billing_accounts where project_id = $1',
)

/** The number of emails of a month per category ($1 project, $2 first day). */
export const readUsage = statement<{ category: string; count: number }>(
  'billing_read_usage',
  'select category, sum(count)::int8 as count from billing_usage where project_id = $1 and period = $2::date group by category',
)

/** The same, locked against the end of its subscription and changes of its caps until the transaction ends. */
export const holdAccount = statement<AccountRow>(
  'billing_hold_account',
  `select customer, subscription, currency, workflows, campaigns, transactional, inbound from billing_accounts where project_id = $1 for share`,
)

const changed = (category: string): string =>
  `${category} = case when $2::jsonb ? '${category}' then ($2::jsonb ->> '${category}')::int else a.${category} end`

/**
 * Changes the caps that are named in $2; returns which are others now as well. The row is locked, so that two changes are made one after
 * the other.
 */
export const changeCaps = statement<AccountRow & { changed: Category[] }>(
  'billing_change_caps',
  `insert into billing_accounts as a (project_id, workflows, campaigns, transactional, inbound, created_at, updated_at)
   values ($1, ($2::jsonb ->> 'workflows')::int, ($2::jsonb ->> 'campaigns')::int, ($2::jsonb ->> 'transactional')::int,
     ($2::jsonb ->> 'inbound')::int, $3, $3)
   on conflict (project_id) do update set ${categories.map(changed).join(', ')}, updated_at = $3
   returning a.customer, a.subscription, a.currency, a.workflows, a.campaigns, a.transactional, a.inbound, ${changedOf(categories)} as changed`,
)

/** Creates every shard of the capped categories ($3), so that no other statement can create one later ($1 project, $2 month). */
export const makeShards = statement<object>(
  'billing_make_shards',
  `insert into billing_usage (project_id, period, category, slot, count, ceiling)
   select $1, $2::date, c.category, s.shard, 0, null from unnest($3::text[]) as c(category), generate_series(0, ${shards - 1}) as s(shard)
   order by c.category, s.shard on conflict do nothing`,
)

/** The months after one ($2) in which something of a project is counted, or was limited: a process whose clock was ahead has begun them. */
export const selectLaterMonths = statement<{ month: Date }>(
  'billing_select_later_months',
  `select distinct period::timestamptz as month from billing_usage where project_id = $1 and period > $2::date order by month`,
)

/** Locks the rows of a month in the order in which they are incremented. */
export const lockUsage = statement<object>(
  'billing_lock_usage',
  'select slot from billing_usage where project_id = $1 and period = $2::date order by category, slot for update',
)

/**
 * Sets the ceilings of a month's locked rows ($3 categories, $4 caps). Shard 0 may grow by what the other shards leave of the
 * cap; the others may not grow at all, so a statement that began earlier and counts into one of them is refused and tried
 * again. Where usage already exceeds the new cap, the ceiling is the present usage.
 */
export const setCeilings = statement<object>(
  'billing_set_ceilings',
  `update billing_usage u set ceiling = case
     when c.cap is null then null
     when u.slot > 0 then u.count
     else greatest(u.count, c.cap - (
       select coalesce(sum(o.count), 0) from billing_usage o
       where o.project_id = $1 and o.period = $2::date and o.category = c.category and o.slot > 0)) end
   from unnest($3::text[], $4::int[]) as c(category, cap)
   where u.project_id = $1 and u.period = $2::date and u.category = c.category`,
)

/** Sets the ceiling of what counts against the free allowance ($3) of a month; where more than that is used, it is what is used. */
export const setAllowance = statement<object>(
  'billing_set_allowance',
  `update billing_usage set ceiling = greatest(count, $3::int)
   where project_id = $1 and period = $2::date and category = 'total' and ceiling is not null`,
)

/** A cap of which at least 80 percent is used; `full` when all of it is. */
export interface CapWarning {
  projectId: string
  category: string
  used: number
  cap: number
  full: boolean
}

/**
 * Claims the caps of a month ($1) that have passed 80 or 100 percent and were not reported yet, at most 100 ($2 now). The
 * worker that claims one sends its notification. Hand-written because deciding and claiming must be one atomic step.
 */
export const claimWarnings = statement<CapWarning>(
  'billing_claim_warnings',
  `with capped as (
     select b.project_id, b.category, coalesce(${capOf('a', 'b.category')}, b.ceiling) as cap,
       (select sum(s.count) from billing_usage s where s.project_id = b.project_id and s.period = b.period and s.category = b.category) as used
     from billing_usage b left join billing_accounts a on a.project_id = b.project_id
     where b.period = $1::date and b.ceiling is not null and b.blocked_at is null and b.slot = 0
       and (b.category <> 'total' or a.subscription is null)),
   near as (select * from capped where used >= cap * 0.8)
   update billing_usage u set warned_at = coalesce(u.warned_at, $2), blocked_at = case when n.used >= n.cap then $2::timestamptz end
   from (select n.* from near n join billing_usage b on b.project_id = n.project_id and b.period = $1::date and b.category = n.category
     and b.slot = 0 where b.warned_at is null or n.used >= n.cap limit 100) n
   where u.project_id = n.project_id and u.period = $1::date and u.category = n.category and u.slot = 0
     and u.blocked_at is null and (u.warned_at is null or n.used >= n.cap)
   returning u.project_id as "projectId", u.category, n.used::int8 as used, n.cap::int8 as cap, n.used >= n.cap as full`,
  { allProjects: 'one scheduled job warns the projects that near their caps' },
)

/** Deletes the billing account and caps of a deleted project. Returns the number of rows. */
export const eraseBillingAccount = eraser('billing_accounts', 'project_id', 1)

/** Deletes one batch of the usage rows of a deleted project. Returns the number of rows, 0 when none is left. */
export const eraseSomeUsage = eraser('billing_usage', 'period', 1_000)

/** Deletes one batch of the usage reports of a deleted project. Returns the number of rows, 0 when none is left. */
export const eraseSomeReports = eraser('billing_reports', 'period', 1_000)

/** Deletes one batch of the deferred charges of a project, which are never reported then. Returns the number of rows, 0 when none is left. */
export const eraseSomeDeferrals = eraser('billing_deferrals', 'id', 1_000)
