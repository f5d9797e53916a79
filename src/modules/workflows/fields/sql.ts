import { statement } from '../../../kit/postgres/db.ts'
import type { FieldType } from '../../contacts/data.ts'

/**
 * The keys of the data of the newest 100 events of a name ($2), at most $3, each with the type of its newest value: a value of another
 * type than text, number, true or false counts as text. Only names and types leave the database, because data may have megabytes.
 */
export const selectEventKeys = statement<{ key: string; type: FieldType }>(
  'workflows_select_event_keys',
  `select distinct on (k.key) k.key, case jsonb_typeof(k.value) when 'number' then 'number' when 'boolean' then 'boolean'
     when 'string' then case when k.value #>> '{}' ~ '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z)?$' then 'date' else 'string' end
     else 'string' end as type
   from (
     select l.id, l.data from events l where l.project_id = $1 and l.name = $2 and jsonb_typeof(l.data) = 'object'
       and l.id > coalesce((select x.before from event_erasures x where x.project_id = $1 and x.name = $2), '')
       and (select true from contacts d where d.project_id = $1 and d.id = l.contact_id and d.deleted_at is not null) is not true
     order by l.id desc limit 100) newest
   cross join lateral jsonb_each(newest.data) as k(key, value)
   where jsonb_typeof(k.value) <> 'null' order by k.key, newest.id desc limit $3`,
)
