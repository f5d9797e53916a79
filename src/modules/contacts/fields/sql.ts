import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../../kit/postgres/erase.ts'
import { lifeOfField } from '../../filters/removals/sql.ts'
import type { FieldType } from '../data.ts'
import type { FieldValue } from './shapes.ts'

/** A custom field of a project that a call sets: its type, and the kind of key that the call was made with. */
export interface FieldRow {
  project_id: string
  key: string
  type: string
  key_kind: 'PUBLIC' | 'SECRET'
  at: Date
}

/**
 * SQL of CTEs that store and count the fields that are new in the project, of a JSON list of FieldRow. The type of a field is that
 * of the first value seen. Passing the bounds of a project violates a constraint of contact_field_counts (see bounds.ts).
 */
export const fieldWrites = (parameter: string): string => `typed as (
    insert into contact_fields (project_id, key, type, key_kind, first_seen)
    select f.project_id, f.key, f.type, f.key_kind, f.at
    from json_to_recordset(${parameter}::json) as f(project_id text, key text, type text, key_kind key_kind, at timestamptz)
    where not exists (select 1 from contact_fields k where k.project_id = f.project_id and k.key = f.key)
    order by f.project_id, f.key
    on conflict (project_id, key) do nothing
    returning project_id, key_kind, first_seen),
  counted as (
    insert into contact_field_counts as c (project_id, fields, public_fields, public_today, day)
    select project_id, count(*), count(*) filter (where key_kind = 'PUBLIC'), count(*) filter (where key_kind = 'PUBLIC'),
      (max(first_seen) at time zone 'UTC')::date
    from typed group by project_id order by project_id
    on conflict (project_id) do update set fields = c.fields + excluded.fields, public_fields = c.public_fields + excluded.public_fields,
      public_today = case when excluded.day > c.day then 0 else c.public_today end + excluded.public_today,
      day = greatest(c.day, excluded.day))`

/** Stores and counts new fields ($1); see fieldWrites. */
export const rememberFields = statement<object>('contacts_remember_fields', `with ${fieldWrites('$1')} select 1 where false`)

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

/** A field ($2) that is to be removed, as `lifeOfField` says. */
export const findLife = statement<{ life: string | null }>('contacts_find_life', `select ${lifeOfField('$2')} as life`)

/**
 * Removes a key ($3) from those of the next $4 contacts after an id ($2) that have it, at $5, until they have $6 bytes of data, while its
 * field is the same ($7, as `lifeOfField` says): otherwise it has ended. Returns the last id it looked at, null at the end, how many contacts
 * were changed meanwhile, of which it is not known whether they have the same field, and how long it took. The rows are locked in the order in
 * which every write locks them, so that nobody deadlocks.
 */
export const removeKey = batchStatement<{ ended: boolean; upTo: string | null; removed: number; changed: number; ms: number }>(
  'contacts_remove_key',
  `with field as materialized (select ${lifeOfField('$3')} is not distinct from $7::text as same), looked as materialized (
     select c.project_id, c.id, c.deleted_at is null and c.data ? $3 as has, pg_column_size(c.data) as bytes, c.xmin::text as version
     from contacts c where c.project_id = $1 and c.id > $2 and (select same from field) order by c.id limit $4
   ), batch as materialized (
     select * from (select l.*, sum(case when has then bytes end) over (order by id) - case when has then bytes else 0 end as before from looked l) s
     where coalesce(before, 0) < $6
   ), locked as materialized (
     select c.project_id, c.id, b.version from batch b join contacts c on c.project_id = b.project_id and c.id = b.id where b.has
     order by c.project_id, c.email for no key update of c
   ), changed as (
     update contacts c set data = c.data - $3, updated_at = $5 from locked l
     where c.project_id = l.project_id and c.id = l.id and c.data ? $3 and c.xmin::text = l.version returning c.id
   )
   select not f.same as ended, b."upTo", c.removed, (select count(*)::int from locked) - c.removed as changed,
     extract(epoch from clock_timestamp() - statement_timestamp())::float8 * 1000 as ms
   from field f cross join (select max(id) as "upTo" from batch) b cross join (select count(*)::int as removed from changed) c`,
)

/**
 * Forgets a field ($2) that is still the same ($3) and its type, so that the project has room for another one; returns no row otherwise. The
 * fields that the public key has made today stay counted. `xid` identifies the transaction.
 */
export const forgetField = statement<{ xid: string }>(
  'contacts_forget_field',
  `with gone as (delete from contact_fields where project_id = $1 and key = $2 and xmin::text = $3 returning key_kind),
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

/** Deletes one batch of the field types of a project. Returns the number of rows, 0 when none is left. */
export const eraseSomeFields = eraser('contact_fields', 'key', 2_000)

/** Deletes the count of the fields of a project, once they are deleted. Returns the number of rows, 0 when none is left. */
export const eraseFieldCount = eraser('contact_field_counts', 'project_id', 1)
