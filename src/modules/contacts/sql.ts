import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import type { ListSql } from '../../kit/postgres/list.ts'
import type { Contact } from './shapes.ts'

/** The contact after a write, and whether the write made it. */
export interface WrittenContact extends Contact {
  isNew: boolean
}

/** Writes that one group commit holds at most. */
export const writesAtOnce = 250

// Every flip of many at once, in order: each against the one before it, the first against what the contact was.
const flip = `flip as (
    select r.project_id, i.flip_id as id, case when i.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end as name,
      r.id as contact_id, jsonb_build_object('source', i.source) as data, i.at, i.ord
    from (select *, lag(subscribed) over (partition by grp order by ord) as before from item where subscribed is not null) i
    join result r on r.grp = i.grp where i.subscribed <> coalesce(i.before, r.was)),`

// The type of a field is the one that was seen first in the project.
const typed = `typed as (
    insert into contact_fields (project_id, key, type, first_seen)
    select f.project_id, f.key, f.type, f.at
    from json_to_recordset($3::json) as f(project_id text, key text, type text, at timestamptz)
    where not exists (select 1 from contact_fields k where k.project_id = f.project_id and k.key = f.key)
    order by f.project_id, f.key
    on conflict (project_id, key) do nothing)`

/** How many parameters `contactWrites` takes; a statement that goes on starts its own after them. */
export const contactWritesParameters = 4

/**
 * The hot path that track, send and the contact endpoints share: contacts, field types and log lines of a group of
 * writes as CTEs of one statement. Hand-written because it must be one round trip. Only contacts that are new or change
 * are written, by one ordered upsert, which is the only lock taken (two statements would deadlock across processes).
 * `result` has a row a contact: grp, was (subscribed before, null when new) and the contact as it is now.
 *
 * The group comes as JSON: one document is cheaper to write and to read than a dozen arrays. In `on conflict` only the
 * row that was to be inserted is at hand, so what it cannot carry (keys to remove, whether `subscribed` was asked for)
 * is looked up in $4, an object by "project address".
 */
export const contactWrites = contactCtes(true)

// Groups that neither ask for a subscription nor delete a key, which most are, need half of it: planning nodes that stay
// empty still cost a tenth of the statement.
const plainContactWrites = contactCtes(false)

function contactCtes(flips: boolean): string {
  const removed = (row: string) => `array(select jsonb_array_elements_text($4::jsonb -> (${row}.project_id || ' ' || ${row}.email) -> 'r'))`
  const asked = (row: string) => `($4::jsonb -> (${row}.project_id || ' ' || ${row}.email) ->> 's')::bool`
  return `
  who as (select * from json_to_recordset($1::json)
    as w(grp int, project_id text, email text, new_id text, set jsonb, subscribed bool, at timestamptz)),
  item as (select row_number() over () as ord, i.* from json_to_recordset($2::json)
    as i(grp int, subscribed bool, flip_id text, source text, event_id text, event_name text, event_data jsonb, at timestamptz)),
  known as (
    select w.grp, c.id, c.email, c.subscribed, c.data, c.created_at, c.updated_at,
      ${flips ? `(c.data || w.set) - ${removed('w')} = c.data and coalesce(${asked('w')} = c.subscribed, true)` : 'c.data || w.set = c.data'} as same
    from who w join contacts c on c.project_id = w.project_id and c.email = w.email),
  written as (
    insert into contacts as c (project_id, id, email, subscribed, data, created_at, updated_at)
    select w.project_id, w.new_id, w.email, w.subscribed, w.set, w.at, w.at
    from who w left join known k on k.grp = w.grp where k.same is not true order by w.project_id, w.email
    on conflict (project_id, email) do update set
      data = ${flips ? `(c.data || excluded.data) - ${removed('excluded')}` : 'c.data || excluded.data'},
      ${flips ? `subscribed = coalesce(${asked('excluded')}, c.subscribed),` : ''}
      updated_at = excluded.updated_at
    returning new.project_id, new.id, new.email, new.subscribed, new.data, new.created_at, new.updated_at, old.subscribed as was),
  result as (
    select w.grp, r.project_id, r.id, r.email, r.subscribed, r.data, r.created_at, r.updated_at, r.was
    from written r join who w on w.project_id = r.project_id and w.email = r.email
    union all
    select k.grp, w.project_id, k.id, k.email, k.subscribed, k.data, k.created_at, k.updated_at, k.subscribed
    from known k join who w on w.grp = k.grp where k.same),
  ${flips ? flip : ''}
  logged as (
    insert into events (project_id, id, name, contact_id, data, created_at)
    ${flips ? 'select f.project_id, f.id, f.name, f.contact_id, f.data, f.at from flip f union all' : ''}
    select r.project_id, i.event_id, i.event_name, r.id, i.event_data, i.at from item i join result r on r.grp = i.grp
    where i.event_id is not null),
  ${typed}`
}

const record = 'id, email, subscribed, data, created_at as "createdAt", updated_at as "updatedAt"'

/** Writes a group of contacts; see contactWrites. */
export const writeContacts = statement<WrittenContact>(
  'contacts_write',
  `with ${contactWrites}
   select r.id, r.email, r.subscribed, r.data, r.created_at as "createdAt", r.updated_at as "updatedAt", r.was is null as "isNew"
   from item i join result r on r.grp = i.grp order by i.ord`,
)

/** The same where only the ids are asked for: reading whole contacts back would cost more than writing them. */
export const writeContactIds = statement<{ id: string }>(
  'contacts_write_ids',
  `with ${contactWrites} select r.id from item i join result r on r.grp = i.grp order by i.ord`,
)

/** The same for a group that asks for no subscription and deletes no key. */
export const writePlainContactIds = statement<{ id: string }>(
  'contacts_write_plain_ids',
  `with ${plainContactWrites} select r.id from item i join result r on r.grp = i.grp order by i.ord`,
)

/** One contact. */
export const findContact = statement<Contact>(
  'contacts_find',
  `select ${record} from contacts where project_id = $1 and id = $2 and deleted_at is null`,
)

/** Changes a contact found by its id; answers what it was too, for the log. */
export const changeContact = statement<Contact & { was: boolean }>(
  'contacts_change',
  `update contacts c set
     email = coalesce($3, c.email), subscribed = coalesce($4, c.subscribed),
     data = (c.data || $5::jsonb) - $6::text[], updated_at = $7
   where c.project_id = $1 and c.id = $2 and c.deleted_at is null
   returning old.subscribed as was, new.id, new.email, new.subscribed, new.data, new.created_at as "createdAt", new.updated_at as "updatedAt"`,
)

/** Remembers the types of fields that are new to the project. */
export const rememberFields = statement<object>(
  'contacts_remember_fields',
  `insert into contact_fields (project_id, key, type, first_seen)
   select $1, f.key, f.type, $4 from unnest($2::text[], $3::text[]) as f(key, type) order by f.key
   on conflict (project_id, key) do nothing`,
)

/** Takes a contact out of all reads and gives its address free; the row stays until what points at it is gone. */
export const hideContact = statement<{ id: string }>(
  'contacts_hide',
  `update contacts set deleted_at = $3, email = id, data = '{}', updated_at = $3
   where project_id = $1 and id = $2 and deleted_at is null returning id`,
)

/** Removes the row of a contact nothing points at any more. */
export const removeContact = statement<object>(
  'contacts_remove',
  'delete from contacts where project_id = $1 and id = $2 and deleted_at is not null',
)

/** What contacts are looked for: `search` is part of the address, already escaped for LIKE. */
export interface ContactSearchSql {
  search?: string | undefined
  subscribed?: boolean | undefined
}

/** The contacts of a project. */
export const contacts: ListSql<ContactSearchSql> = {
  name: 'contacts',
  // Stands in every statement, so that the index that holds no deleted contact serves it.
  table: '(select * from contacts where deleted_at is null)',
  columns: 'l.id, l.email, l.subscribed, l.data, l.created_at as "createdAt", l.updated_at as "updatedAt"',
  conditions: [
    ['search', (at) => `l.email like '%' || ${at} || '%'`],
    ['subscribed', (at) => `l.subscribed = ${at}`],
  ],
}

/** Adds a line to the log for a contact found by its id, in the statement that finds it: nothing when there is no such contact. */
export const recordOfContact = statement<{ id: string }>(
  'contacts_record',
  `insert into events (project_id, id, name, contact_id, data, created_at)
   select c.project_id, $3, $4, c.id, $5::jsonb, $6 from contacts c where c.project_id = $1 and c.id = $2 and c.deleted_at is null returning id`,
)

/** Removes one batch of a project's contacts, and any mail they still have; answers how many, 0 when none is left. */
export const eraseSomeContacts = eraser('contacts', 'id', 2_000)

/** Forgets one batch of the types of a project's custom fields; answers how many, 0 when none is left. */
export const eraseSomeFields = eraser('contact_fields', 'key', 2_000)
