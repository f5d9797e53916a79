import { statement } from '../../../kit/postgres/db.ts'
import type { FieldType } from '../data.ts'
import type { FieldValue } from './shapes.ts'

/** The custom fields of a project with their types. */
export const selectCustomFields = statement<{ key: string; type: FieldType }>(
  'contacts_select_custom_fields',
  'select key, type from contact_fields where project_id = $1',
)

/** How many contacts of a project have each key; the row without a key says how many contacts there are. */
export const countKeys = statement<{ key: string | null; count: number }>(
  'contacts_count_keys',
  `select k.key, count(*)::float8 as count from contacts c cross join lateral jsonb_object_keys(c.data) k(key)
   where c.project_id = $1 and c.deleted_at is null group by k.key
   union all
   select null, count(*)::float8 from contacts c where c.project_id = $1 and c.deleted_at is null`,
)

/**
 * The first $3 distinct values of a key ($2), sorted as text: strings of up to 1,000 characters that are not empty, numbers and
 * booleans. Sorted by code points, so that the order does not depend on the collation of the database.
 */
export const selectValues = statement<{ value: FieldValue }>(
  'contacts_select_values',
  `select v.value from (
     select distinct c.data -> $2 as value from contacts c where c.project_id = $1 and c.deleted_at is null and c.data ? $2
       and jsonb_typeof(c.data -> $2) in ('string', 'number', 'boolean') and length(c.data ->> $2) between 1 and 1000) v
   order by (v.value #>> '{}') collate "C", jsonb_typeof(v.value) limit $3`,
)

/**
 * Removes a key ($3) from the next $4 contacts after an id ($2) that have it, at $5. Returns the last id it looked at, null at
 * the end. The rows are locked in the order in which every write locks them, so that nobody deadlocks.
 */
export const removeKey = statement<{ upTo: string | null; removed: number }>(
  'contacts_remove_key',
  `with batch as materialized (
     select c.id from contacts c where c.project_id = $1 and c.id > $2 and c.deleted_at is null and c.data ? $3 order by c.id limit $4
   ), locked as materialized (
     select c.id from contacts c where c.project_id = $1 and c.id in (select id from batch) order by c.project_id, c.email for no key update
   ), changed as (
     update contacts c set data = c.data - $3, updated_at = $5 from locked l
     where c.project_id = $1 and c.id = l.id and c.data ? $3 returning c.id
   )
   select (select max(id) from batch) as "upTo", (select count(*)::int from changed) as removed`,
)

/**
 * Forgets a field ($2) and its type, so that the project has room for another one; returns no row when there is none. The
 * fields that the public key has made today stay counted. `xid` identifies the transaction.
 */
export const forgetField = statement<{ xid: string }>(
  'contacts_forget_field',
  `with gone as (delete from contact_fields where project_id = $1 and key = $2 returning key_kind),
   counted as (
     update contact_field_counts c set fields = c.fields - 1, public_fields = c.public_fields - (g.key_kind = 'PUBLIC')::int
     from gone g where c.project_id = $1)
   select pg_current_xact_id()::text as xid from gone`,
)

/** Whether every transaction that may not see what the transaction $1 did has ended. */
export const isSeenByAll = statement<{ seen: boolean }>(
  'contacts_is_seen_by_all',
  `select not exists (
     select 1 from pg_stat_activity a where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
       and greatest(age(a.backend_xid), age(a.backend_xmin)) >= age($1::xid8::xid)) as seen`,
  { allProjects: 'transactions belong to no project' },
)
