import { statement } from '../../../kit/postgres/db.ts'
import { maxStoredBytes } from '../data.ts'
import { fieldWrites } from '../fields/sql.ts'
import { contactTally, hasOptedOut, idToInsert, writtenId } from '../sql.ts'

/** Those of some addresses ($2) that have a contact. Hand-written, as is everything of an import: one statement per 1,000 rows. */
export const selectExisting = statement<{ email: string }>(
  'contacts_select_existing',
  'select email from contacts where project_id = $1 and email = any($2::text[])',
)

/** Whether some of the contacts of some addresses ($2) are not subscribed. */
export const haveUnsubscribed = statement<{ found: boolean }>(
  'contacts_have_unsubscribed',
  'select exists (select from contacts where project_id = $1 and email = any($2::text[]) and not subscribed) as found',
)

/** Locks the contacts of some addresses ($2), in the order in which every write locks them. */
export const lockContacts = statement<object>(
  'contacts_lock_contacts',
  'select 1 from contacts where project_id = $1 and email = any($2::text[]) order by project_id, email for no key update',
)

/** The contacts of some addresses ($2) that are not subscribed, and whether they have opted out themselves. */
export const selectUnsubscribed = statement<{ email: string; optedOut: boolean }>(
  'contacts_select_unsubscribed',
  `select c.email, ${hasOptedOut('c')} as "optedOut"
   from contacts c where c.project_id = $1 and c.email = any($2::text[]) and not c.subscribed`,
)

/** What a chunk of an import changed. */
export interface ImportedChunk {
  created: number
  /** Addresses whose contact has no room for the data; nothing of them was written. */
  refused: string[]
  /** Contacts whose subscription changed. */
  flipped: { id: string; subscribed: boolean }[]
}

const optsOut = (email: string): string => `(($3::jsonb ->> ${email})::bool is false)`

// The rows ($2) with the data that each contact would have, and those for which it has no room.
const mergedRows = `sent as materialized (
     select * from json_to_recordset($2::json) as w(email text, new_id text, hash text, set jsonb, subscribed bool)),
   merged as materialized (
     select w.email, ${idToInsert('c.id is not null', 'w.new_id')} as new_id, w.set, w.subscribed,
       c.id is null and (${optsOut('w.email')}
         or (select true from opt_outs x where x.project_id = $1 and x.hash = w.hash limit 1) is true) as opted_out,
       coalesce(c.data, '{}') || w.set as data,
       c.id is not null and (c.subscribed or c.opted_out or not ${optsOut('w.email')})
         and c.data || w.set = c.data and coalesce(($3::jsonb ->> w.email)::bool = c.subscribed, true) as same
     from sent w left join contacts c on c.project_id = $1 and c.email = w.email),
   refused as materialized (
     select email from merged where not same and pg_column_size(data) > 2048
       and (jsonb_array_length(jsonb_path_query_array(data, '$.*')) > 500 or octet_length(data::text) > ${maxStoredBytes} + 2 * 500))`

/** Those of the rows ($2) of a chunk for whose data their contact has no room; see importRows. */
export const findRefused = statement<{ email: string }>('contacts_find_refused', `with ${mergedRows} select email from refused`)

/**
 * Writes the rows of a chunk ($2: address, id of a new contact, keyed hash of the address, data to set, subscription of a new contact) of a project.
 * $3 has the subscriptions to change, by address; false is an opt-out, also of a contact that is new or was never subscribed. $4 is the time.
 * A statement of its own, beside the group commit of the live calls, so that none of them waits for a thousand rows. Only contacts
 * that are new or change are written, by one ordered upsert. All locks are taken in the same order as by the live calls: contacts, new
 * fields ($5) and their count, then the count of contacts. What would pass a bound of stored data is left out: the constraints of the
 * table would refuse the whole chunk.
 */
export const importRows = statement<ImportedChunk>(
  'contacts_import_rows',
  `with ${mergedRows},
   written as (
     insert into contacts as c (project_id, id, email, subscribed, opted_out, data, created_at, updated_at)
     select $1, m.new_id, m.email, m.subscribed and not m.opted_out, m.opted_out, m.set, $4, $4 from merged m
     where not m.same and m.email not in (select email from refused) order by m.email
     on conflict (project_id, email) do update set
       data = c.data || excluded.data, subscribed = coalesce(($3::jsonb ->> excluded.email)::bool, c.subscribed),
       opted_out = c.opted_out or ${optsOut('excluded.email')}, updated_at = excluded.updated_at
     where (c.data || excluded.data, coalesce(($3::jsonb ->> excluded.email)::bool, c.subscribed), c.opted_out or ${optsOut('excluded.email')})
       is distinct from (c.data, c.subscribed, c.opted_out)
     returning new.project_id, ${writtenId} as id, new.subscribed, old.subscribed as was),
   tallied as (${contactTally('select project_id, count(*)::int as change from written where was is null group by project_id')}),
   ${fieldWrites('$5')}
   select (select count(*)::int from written where was is null) as created, array(select email from refused) as refused,
     coalesce((select json_agg(json_build_object('id', id, 'subscribed', subscribed)) from written where was <> subscribed), '[]') as flipped`,
)
