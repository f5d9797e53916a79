import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import type { ListSql } from '../../kit/postgres/list.ts'
import type { Suppression, SuppressionReason } from './shapes.ts'

/** A suppression as lists read it: the address also stands for an id. */
export type SuppressionRow = Suppression & { id: string }

const record = 'email as id, email, reason, source, email_id as "emailId", created_at as since'

/**
 * Puts addresses ($2) on the list of a project for a reason ($3) from a source ($4) at $5, $6 the email it is about; a stronger
 * reason replaces a weaker one. Returns one row per address that is new or changed. Hand-written: Prisma's upsert takes two round
 * trips for each and can conflict with itself. The order keeps two of them from waiting for each other.
 */
export const insertSuppressions = statement<{ isNew: boolean }>(
  'suppressions_insert_suppressions',
  `insert into suppressions as s (project_id, email, reason, source, email_id, created_at)
   select $1, a.email, $3::suppression_reason, $4::suppression_source, $6, $5 from unnest($2::text[]) as a(email) order by a.email
   on conflict (project_id, email) do update set reason = excluded.reason, source = excluded.source, email_id = excluded.email_id
   where s.reason < excluded.reason returning old.email is null as "isNew"`,
)

/** Those of some addresses ($2) that are on the list of a project ($1), with their reasons. */
export const selectSuppressed = statement<{ email: string; reason: SuppressionReason }>(
  'suppressions_select_suppressed',
  'select email, reason from suppressions where project_id = $1 and email = any($2::text[])',
)

/** The same, with everything about them. */
export const selectSuppressions = statement<SuppressionRow>(
  'suppressions_select_suppressions',
  `select ${record} from suppressions where project_id = $1 and email = any($2::text[])`,
)

/**
 * Whether an email to the contact of one of some addresses ($2) is queued, or one may be leaving that names such an address itself: its
 * contact may have another one. Of those the oldest of each lane are looked at, 1,000, of which workers have claimed some; where there are
 * more, one of them may be such. Each row is looked up by its whole key, whatever the statistics say.
 */
export const findQueued = statement<{ queued: boolean }>(
  'suppressions_find_queued',
  `select exists (
     select from unnest($2::text[]) a(email)
     cross join lateral (select o.id from contacts o where o.project_id = $1 and o.email = a.email limit 1) c
     cross join lateral (
       select from emails e where e.project_id = $1 and e.contact_id = c.id
         and (select true from deliveries d where d.project_id = $1 and d.email_id = e.id limit 1) limit 1) q)
   or exists (
     select from unnest(array[0, 1]) l(lane)
     cross join lateral (
       select o.email_id, o.to_contact from deliveries o where o.lane = l.lane and o.project_id = $1 and o.due is null
       order by o.email_id limit 1000) d
     cross join lateral (
       select from emails e where e.project_id = $1 and e.id = d.email_id and e.to_address = any($2::text[]) limit 1) q
     where not d.to_contact)
   or exists (
     select from unnest(array[0, 1]) l(lane)
     cross join lateral (
       select from deliveries o where o.lane = l.lane and o.project_id = $1 and o.due is null order by o.email_id offset 1000 limit 1) f) as queued`,
)

/** Takes an address ($2, its keyed hash $3) off the list of a project, and forgets that it opted out; returns a row if it was there. */
export const removeSuppression = statement<{ found: boolean }>(
  'suppressions_remove_suppression',
  `with gone as (delete from suppressions where project_id = $1 and email = $2 returning 1),
   forgotten as (delete from opt_outs where project_id = $1 and hash = $3 returning 1)
   select true as found from gone union all select true from forgotten`,
)

/** Which suppressions are listed; `search` is a part of the address, already escaped for LIKE. */
export interface SuppressionFilterSql {
  search?: string | undefined
  reasons?: string[] | undefined
  addedUntil?: Date
}

/** The suppression list of a project. */
export const suppressionListSql: ListSql<SuppressionFilterSql> = {
  name: 'suppressions',
  table: 'suppressions',
  columns: record.replaceAll(/(^|, )(\w+)/g, '$1l.$2'),
  conditions: [
    ['search', (at) => `l.email like '%' || ${at} || '%'`],
    ['reasons', (at) => `l.reason = any(${at}::suppression_reason[])`],
    ['addedUntil', (at) => `l.created_at <= ${at}`],
  ],
}

/** Remembers that addresses ($2, their keyed hashes) opted out, at $3. */
export const insertOptOuts = statement<object>(
  'suppressions_insert_opt_outs',
  'insert into opt_outs (project_id, hash, created_at) select $1, hash, $3 from unnest($2::text[]) hash order by hash on conflict do nothing',
)

/** Forgets that addresses ($2, their keyed hashes) opted out, locked in one order. */
export const removeOptOuts = statement<object>(
  'suppressions_remove_opt_outs',
  `delete from opt_outs where project_id = $1 and hash in
     (select hash from opt_outs where project_id = $1 and hash = any($2::text[]) order by hash for update)`,
)

/** Those of some keyed hashes ($2) whose addresses opted out. */
export const selectOptOuts = statement<{ hash: string }>(
  'suppressions_select_opt_outs',
  'select hash from opt_outs where project_id = $1 and hash = any($2::text[])',
)

/** Removes one batch of a project's suppression list; returns how many, 0 when none is left. */
export const eraseSomeSuppressions = eraser('suppressions', 'email', 5_000)

/** Removes one batch of the opt-outs of a project's deleted contacts; returns how many, 0 when none is left. */
export const eraseSomeOptOuts = eraser('opt_outs', 'hash', 5_000)
