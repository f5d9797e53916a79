import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/** Rows a month's uncapped count is spread over; parallel sends of one project then seldom wait for each other. */
export const slots = 8

const capOf = (account: string, category: string): string =>
  `case ${category} when 'workflows' then ${account}.workflows when 'campaigns' then ${account}.campaigns
    when 'transactional' then ${account}.transactional when 'inbound' then ${account}.inbound end`

/**
 * Counts mails against their caps as CTEs of the statement that accepts them, so that both hold or neither does. The
 * parameter is a JSON list of { project_id, period, category, count, slot, allowance }, one entry a project, month and
 * category. A cap is the ceiling of slot 0: passing it violates `billing_usage_ceiling` and nothing of the statement is
 * kept. Without a cap the count goes to the slot asked for. Rows are locked in order, so that two groups cannot deadlock.
 */
export function usageCharge(parameter: string): string {
  return `charge as (
    select c.*, ${capOf('a', 'c.category')} as cap, case when a.subscription is null then c.allowance end as free
    from json_to_recordset(${parameter}::json) as c(project_id text, period date, category text, count int, slot int, allowance int)
    left join billing_accounts a on a.project_id = c.project_id),
  charged as (
    insert into billing_usage as u (project_id, period, category, slot, count, ceiling)
    select project_id, period, category, case when cap is null then slot else 0 end, count, cap from charge
    union all
    select project_id, period, 'total', 0, sum(count)::int, min(free) from charge where free is not null group by project_id, period
    order by 1, 2, 3, 4
    on conflict (project_id, period, category, slot) do update set count = u.count + excluded.count)`
}

/** What a project may send a month, and whether it pays. */
export interface AccountRow {
  customer: string | null
  subscription: string | null
  currency: string | null
  workflows: number | null
  campaigns: number | null
  transactional: number | null
  inbound: number | null
}

/** Caps and customer of a project. */
export const findAccount = statement<AccountRow>(
  'billing_find_account',
  'select customer, subscription, currency, workflows, campaigns, transactional, inbound from billing_accounts where project_id = $1',
)

/** Mails of a month by category ($1 project, $2 first day). */
export const readUsage = statement<{ category: string; count: number }>(
  'billing_read_usage',
  'select category, sum(count)::int8 as count from billing_usage where project_id = $1 and period = $2::date group by category',
)

const changed = (category: string): string =>
  `${category} = case when $2::jsonb ? '${category}' then ($2::jsonb ->> '${category}')::int else a.${category} end`

/** Changes the caps that are named in $2; the row is locked, so that two changes follow one another. */
export const changeCaps = statement<AccountRow>(
  'billing_change_caps',
  `insert into billing_accounts as a (project_id, workflows, campaigns, transactional, inbound, created_at, updated_at)
   values ($1, ($2::jsonb ->> 'workflows')::int, ($2::jsonb ->> 'campaigns')::int, ($2::jsonb ->> 'transactional')::int,
     ($2::jsonb ->> 'inbound')::int, $3, $3)
   on conflict (project_id) do update set ${['workflows', 'campaigns', 'transactional', 'inbound'].map(changed).join(', ')}, updated_at = $3
   returning customer, subscription, currency, workflows, campaigns, transactional, inbound`,
)

/** Makes every slot of the capped categories ($3), so that none can come into being unseen ($1 project, $2 month). */
export const makeSlots = statement<object>(
  'billing_make_slots',
  `insert into billing_usage (project_id, period, category, slot, count, ceiling)
   select $1, $2::date, c.category, s.slot, 0, null from unnest($3::text[]) as c(category), generate_series(0, ${slots - 1}) as s(slot)
   order by c.category, s.slot on conflict do nothing`,
)

/** Locks a month's rows in the order in which they are counted up. */
export const lockUsage = statement<object>(
  'billing_lock_usage',
  'select slot from billing_usage where project_id = $1 and period = $2::date order by category, slot for update',
)

/**
 * Puts the caps into a month's locked rows ($3 categories, $4 caps): slot 0 may grow by what the others leave, they not at
 * all; a statement that still counts into one of them, because it began before, is refused and tried again. A month that
 * has passed its new cap already stays where it is.
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

/** A cap that has come near or is used up. */
export interface NearCap {
  projectId: string
  category: string
  used: number
  cap: number
  full: boolean
}

/**
 * Marks the caps of a month ($1) that have passed 80 or 100 percent and were not told of yet, at most 100 of them ($2 now):
 * whoever marks one tells of it. Hand-written because deciding and marking must be one step over all workers.
 */
export const claimWarnings = statement<NearCap>(
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
)

/** Removes the account and caps of a project that is deleted; answers how many rows. */
export const eraseAccount = eraser('billing_accounts', 'project_id', 1)

/** Removes the months of a project that is deleted, a batch at a time; answers how many rows, 0 when none is left. */
export const eraseSomeUsage = eraser('billing_usage', 'period', 1_000)

/** Removes what the payment provider was told of a project that is deleted; answers how many rows, 0 when none is left. */
export const eraseSomeReports = eraser('billing_reports', 'period', 1_000)
