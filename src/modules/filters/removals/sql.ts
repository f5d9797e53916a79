import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../../kit/postgres/erase.ts'

/** Stands for all fields that are not remembered any more. */
export const everything = '*'
// Names of events have no bound. What is forgotten leaves the time of the newest of them, as that of everything.
const maxPerProject = 10_000
const forgotten = `old as (
     delete from removed_fields where project_id = $1 and field = any(array(
       select r.field from removed_fields r where r.project_id = $1 and r.field <> $2 and r.field <> '${everything}'
       order by r.removed_at desc offset ${maxPerProject} limit 100))
     returning removed_at),
   marked as (
     insert into removed_fields as r (project_id, field, removed_at)
     select $1::text, '${everything}', max(o.removed_at) from old o having count(*) > 0
     on conflict (project_id, field) do update set removed_at = greatest(r.removed_at, excluded.removed_at))`

/** Records that a field ($2) is removed at a time ($3). Of a project the last 10,000 are remembered each by itself. */
export const insertRemoval = batchStatement<object>(
  'filters_insert_removal',
  `with ${forgotten}
   insert into removed_fields as r (project_id, field, removed_at) values ($1, $2, $3)
   on conflict (project_id, field) do update set removed_at = greatest(r.removed_at + interval '1 ms', excluded.removed_at)`,
)

/**
 * SQL of what tells a field of contacts from another one that is made with the same key once it is forgotten; null where there is none. The
 * row of a field is never changed.
 */
export const lifeOfField = (key: string): string => `(select f.xmin::text from contact_fields f where f.project_id = $1 and f.key = ${key})`

/**
 * Records the same of a field of contacts that is being removed, until a time ($3) that is to come: of one that is the same as before ($5), or
 * of one that is forgotten and that was not removed by now ($4).
 */
export const renewLease = batchStatement<object>(
  'filters_renew_lease',
  `with ${forgotten}
   insert into removed_fields as r (project_id, field, removed_at)
   select $1::text, $2::text, $3::timestamptz
   where ${lifeOfField('substr($2, 6)')} is not distinct from $5::text
     and ($5 is not null or exists (select from removed_fields k where k.project_id = $1 and k.field = $2 and k.removed_at > $4))
   on conflict (project_id, field) do update set removed_at = greatest(r.removed_at, excluded.removed_at)`,
)

/** Records that a field ($2) has been removed by a time ($3). */
export const endLease = statement<object>(
  'filters_end_lease',
  'update removed_fields set removed_at = $3 where project_id = $1 and field = $2 and removed_at > $3',
)

/** When a field was removed. */
export interface Removed {
  field: string
  at: Date
}

/** When some fields ($2) were removed; also when everything may have been. */
export const findRemoved = statement<Removed>(
  'filters_find_removed',
  `select field, removed_at as at from removed_fields where project_id = $1 and field = any($2::text[] || '${everything}'::text)`,
)

/** Erases what is recorded of removed fields. */
export const eraseSomeRemovals = eraser('removed_fields', 'field', 2_000)
