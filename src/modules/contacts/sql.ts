import { type BodyRow, bodiesSql, jsonOf } from '../../kit/bodies.ts'
import { statement } from '../../kit/postgres/db.ts'
import { countSlots } from '../../kit/postgres/totals.ts'
import { storesMembers } from '../filters/sql.ts'
import { storedAnswers } from '../idempotency/sql.ts'
import { columnsOfRow, recordOf } from './fields/columns.ts'
import { fieldWrites } from './fields/sql.ts'
import type { Contact } from './shapes.ts'

/** The contact after a write, and whether the write created it. */
export interface WrittenContact extends Contact {
  isNew: boolean
}

/** Maximum number of writes in one statement. */
export const writesAtOnce = 250

// Whether a new contact has an address that had opted out. Postgres never plans a scalar subquery as a join, which would read all opt-outs.
const hadOptedOut = '(select true from opt_outs x where x.project_id = w.project_id and x.hash = w.hash limit 1) is true'
const asCreated = `w.initial and not ${hadOptedOut}`

// Changes of the subscription within a group, in order: each write is compared with the one before it, and the first with the
// contact as it was. One that creates the contact changes nothing: what follows it is compared with the contact as it was created.
const flip = `flip as (
    select i.project_id, i.flip_id as id, case when i.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end as name,
      i.id as contact_id, jsonb_build_object('source', i.source) as data, i.at, i.ord
    from (select i.*, r.project_id, r.id,
        coalesce(lag(i.subscribed) over (partition by i.grp order by i.ord), r.was, (select ${asCreated} from sent w where w.grp = i.grp)) as before
      from item i join result r on r.grp = i.grp where i.subscribed is not null and (r.was is not null or not i.is_first)) i
    where i.subscribed <> i.before),`

/**
 * SQL, for a CTE of the statement that creates, hides or removes contacts, that counts them: `changes` is a query of
 * `project_id` and `change`, at most one row per project. A connection always uses the same slot, so that it waits for no other
 * one. Every write locks contacts first, then fields and their count, and this count after them: of the CTEs that write and that
 * nothing reads, Postgres runs the last one first, so this one stands before those of the fields.
 */
export function contactTally(changes: string): string {
  return `insert into contact_counts as n (project_id, slot, count)
    select t.project_id, pg_backend_pid() % ${countSlots}, t.change from (${changes}) t order by t.project_id
    on conflict (project_id, slot) do update set count = n.count + excluded.count`
}

/** SQL that is true for a row of contacts whose person has opted out, and not subscribed again. */
export function hasOptedOut(row: string): string {
  const line = `select from events v where v.project_id = ${row}.project_id and v.contact_id = ${row}.id and v.name = 'contact.unsubscribed'`
  return `(not ${row}.subscribed and (${row}.opted_out or exists (${line})))`
}

/** The newest contact of a project. */
export const selectNewest = statement<{ id: string }>(
  'contacts_select_newest',
  'select id from contacts where project_id = $1 and deleted_at is null order by id desc limit 1',
)

/** How many contacts some projects ($1) have; none of a project without any. */
export const sumContacts = statement<{ projectId: string; count: number }>(
  'contacts_sum_contacts',
  'select project_id as "projectId", sum(count)::float8 as count from contact_counts where project_id = any($1::text[]) group by project_id',
)

/**
 * SQL of the id of a contact that a statement inserts: none where it has seen a contact of the address (`existing`). Where that was
 * deleted or left the address since, it would not know the opt-out that was kept, and runs again: see writtenId.
 */
export const idToInsert = (existing: string, id: string): string => `case when ${existing} then '' else ${id} end`

// Whether a transaction that has got its place in the log after this one (its id is higher) wrote the contact before it: that happens
// where this one had written others before it came to the contact. Ids further ahead are of rows from before the counter went round.
const overtaken = 'old.subscribed <> new.subscribed and age(old.xmin) between -100000 and -1'

/**
 * SQL of the id of a contact that was written. Fails with a serialization failure, so that it is written again, where idToInsert found
 * none, and where a change of its subscription would stand in the log before one that was made earlier.
 */
export const writtenId = `case when new.id = '' or (${overtaken}) then fail_serialization() else new.id end`

// Of existing contacts it is not asked.
const optedOutBefore = `e.grp is null and ${hadOptedOut}`

// What the row that was to be inserted cannot carry: see contactWrites.
const extra = (row: string): string => `$4::jsonb -> (${row}.project_id || ' ' || ${row}.email)`
const removed = (row: string): string => `array(select jsonb_array_elements_text(${extra(row)} -> 'r'))`
const subscription = (row: string): string => `(${extra(row)} ->> 's')::bool`
const optsOut = (row: string): string => `coalesce((${extra(row)} ->> 'o')::bool, false)`
const keepsSubscription = `coalesce(${subscription('w')} = c.subscribed, true) and (not ${optsOut('w')} or ${hasOptedOut('c')})`
// Data that a write does not change is not read: it may be long, and would be written again.
const keepsData = (row: string, set: string): string => `${row}.${set} = '{}' and ${removed(row)} = '{}'`
const changes = `data = case when ${keepsData('excluded', 'data')} then c.data else (c.data || excluded.data) - ${removed('excluded')} end,
      subscribed = coalesce(${subscription('excluded')}, c.subscribed), opted_out = c.opted_out or ${optsOut('excluded')},`

/** The number of parameters of `contactWrites`; a statement that includes it numbers its own parameters after these. */
export const contactWritesParameters = 4

/**
 * The hot path that track, send and the contact endpoints share: the contacts, field types and log lines of a group of writes
 * as CTEs of one statement. Hand-written because it must be one round trip. Only contacts that are new or change are written,
 * by one ordered upsert, whose row locks are the only ones taken (two statements would deadlock across processes). `result`
 * has one row per contact: grp, was (subscribed before, null when new) and the contact as it is now.
 *
 * The group is passed as JSON: one document is cheaper to write and to read than a dozen arrays. `on conflict` sees only the
 * row that was to be inserted, so what that row cannot carry (keys to remove, the requested value of `subscribed`, whether that
 * opts the contact out) is looked up in $4, an object whose keys are "project address".
 */
export const contactWrites = contactCtes(true)

// Most groups neither set a subscription nor delete a key, and need only half of the statement: nodes that stay empty still
// cost a tenth of its time.
const plainContactWrites = contactCtes(false)

function contactCtes(flips: boolean): string {
  return `
  sent as (select * from json_to_recordset($1::json)
    as w(grp int, project_id text, email text, new_id text, hash text, set jsonb, initial bool, later bool, opts_out bool, at timestamptz)),
  item as (select row_number() over () as ord, i.* from json_to_recordset($2::json)
    as i(grp int, subscribed bool, is_first bool, flip_id text, source text, event_id text, event_name text, event_data jsonb, at timestamptz)),
  existing as (
    select w.grp, ${columnsOfRow('c')},
      ${flips ? `(${keepsData('w', 'set')} or (c.data || w.set) - ${removed('w')} = c.data) and ${keepsSubscription}` : `(w.set = '{}' or c.data || w.set = c.data)`} as same
    from sent w join contacts c on c.project_id = w.project_id and c.email = w.email),
  written as (
    insert into contacts as c (project_id, id, email, subscribed, opted_out, data, created_at, updated_at)
    select w.project_id, ${idToInsert('e.grp is not null', 'w.new_id')}, w.email, coalesce(w.later, w.initial and not o.found), o.found or w.opts_out, w.set, w.at, w.at
    from sent w left join existing e on e.grp = w.grp cross join lateral (select ${optedOutBefore} as found) o
    where e.same is not true order by w.project_id, w.email
    on conflict (project_id, email) do update set
      ${flips ? changes : 'data = c.data || excluded.data,'}
      updated_at = excluded.updated_at
    returning new.project_id, ${columnsOfRow('new', { id: writtenId })}, old.subscribed as was),
  result as (
    select w.grp, r.project_id, ${columnsOfRow('r')}, r.was
    from written r join sent w on w.project_id = r.project_id and w.email = r.email
    union all
    select e.grp, w.project_id, ${columnsOfRow('e')}, e.subscribed
    from existing e join sent w on w.grp = e.grp where e.same),
  ${flips ? flip : ''}
  logged as (
    insert into events (project_id, id, name, contact_id, data, created_at)
    ${flips ? 'select f.project_id, f.id, f.name, f.contact_id, f.data, f.at from flip f union all' : ''}
    select r.project_id, i.event_id, i.event_name, r.id, i.event_data, i.at from item i join result r on r.grp = i.grp
    where i.event_id is not null),
  tallied as (${contactTally('select project_id, count(*)::int as change from written where was is null group by project_id')}),
  ${fieldWrites('$3')}`
}

/** SQL of how many bytes of data a contact of `result` has; fewer where it was not written, and is compressed. */
export const bytesOfResult = 'pg_column_size(r.data) as bytes'

/** Writes a group of contacts; see contactWrites. Of several writes of a new contact the first one has created it. */
export const writeContacts = statement<WrittenContact & { bytes: number }>(
  'contacts_write_contacts',
  `with ${contactWrites}
   select ${recordOf('r')}, ${bytesOfResult},
     r.was is null and row_number() over (partition by i.grp order by i.ord) = 1 as "isNew"
   from item i join result r on r.grp = i.grp order by i.ord`,
)

/** The id of a contact that was written, and how many bytes of data it has. */
export interface WrittenId {
  id: string
  bytes: number
}

const ids = `select r.id, ${bytesOfResult} from item i join result r on r.grp = i.grp order by i.ord`

/** The same, but returns only the ids: reading whole contacts back would cost more than writing them. */
export const writeContactIds = statement<WrittenId>('contacts_write_contact_ids', `with ${contactWrites} ${ids}`)

/** The same for a group that sets no subscription and deletes no key. */
export const writePlainContactIds = statement<WrittenId>('contacts_write_plain_contact_ids', `with ${plainContactWrites} ${ids}`)

// What a call that tracked an event is answered with again.
const trackAnswers = `select i.event_id, jsonb_build_object('contact', r.id, 'event', i.event_id, 'timestamp', i.at)
  from item i join result r on r.grp = i.grp`

/** The same for a group in which calls have idempotency keys (see storedAnswers). */
export const writeContactIdsOnce = statement<WrittenId>(
  'contacts_write_contact_ids_once',
  `with ${contactWrites}, ${storedAnswers('$5', trackAnswers)} ${ids}`,
)

/** The same for a group that also sets no subscription and deletes no key. */
export const writePlainContactIdsOnce = statement<WrittenId>(
  'contacts_write_plain_contact_ids_once',
  `with ${plainContactWrites}, ${storedAnswers('$4', trackAnswers)} ${ids}`,
)

/** One contact. */
export const selectContact = statement<Contact>(
  'contacts_select_contact',
  `select ${recordOf('c')} from contacts c where c.project_id = $1 and c.id = $2 and c.deleted_at is null`,
)

/** Some contacts ($2). Hand-written because it is the most frequent read. */
export const selectContacts = statement<Contact>(
  'contacts_select_contacts',
  `select ${recordOf('c')} from contacts c where c.project_id = $1 and c.id = any($2::text[]) and c.deleted_at is null`,
)

/** The data of some contacts ($2) that are not deleted, as JSON: see bodiesSql. */
export const selectContactData = statement<BodyRow>(
  'contacts_select_contact_data',
  bodiesSql({ table: 'contacts', ...jsonOf('data'), having: 't.deleted_at is null' }),
)

/** How many bytes of data the contacts of some addresses ($2) have together, as it is stored. */
export const sumStoredBytes = statement<{ bytes: number }>(
  'contacts_sum_stored_bytes',
  `select coalesce(sum(pg_column_size(data)), 0)::float8 as bytes from contacts where project_id = $1 and email = any($2::text[])`,
)

/** Which of some addresses ($2) contacts have, and whether these have opted out. Hand-written for hasOptedOut. */
export const selectOptOutsOfEmails = statement<{ email: string; optedOut: boolean }>(
  'contacts_select_opt_outs_of_emails',
  `select c.email, ${hasOptedOut('c')} as "optedOut" from contacts c
   where c.project_id = $1 and c.email = any($2::text[]) and c.deleted_at is null`,
)

/** The contacts of some addresses ($2). Hand-written because it runs for 500 addresses at once. */
export const selectIdsOfEmails = statement<{ id: string; email: string }>(
  'contacts_select_ids_of_emails',
  'select id, email from contacts where project_id = $1 and email = any($2::text[]) and deleted_at is null',
)

/**
 * Ends the memberships of contacts ($2) in all segments, and counts them no longer where members are stored. Run it before the
 * contacts are locked: whoever adds members also locks the segment first and the contacts after it.
 */
export const leaveSegments = statement<object>(
  'contacts_leave_segments',
  `with locked as materialized (
     select s.id from segments s where s.project_id = $1
       and s.id in (select m.segment_id from segment_members m where m.project_id = $1 and m.contact_id = any($2::text[]))
     order by s.id for no key update),
   gone as (
     delete from segment_members m where m.project_id = $1 and m.contact_id = any($2::text[]) and (select count(*) from locked) >= 0
     returning m.segment_id)
   update segments s set member_count = greatest(s.member_count - g.count, 0)
   from (select segment_id, count(*)::int as count from gone group by segment_id) g
   where s.project_id = $1 and s.id = g.segment_id and ${storesMembers('s')}`,
)

/** What a contact `c` is from its deletion ($3) on until its row is removed: nothing of the person is left. */
export const hidden = `deleted_at = $3, email = c.id, data = '{}', updated_at = $3`

/** Hides a contact from all reads and frees its address; it counts no longer. The row stays until no other row references it. */
export const hideContact = statement<{ email: string; subscribed: boolean; optedOut: boolean }>(
  'contacts_hide_contact',
  `with hidden as (
     update contacts c set ${hidden}
     where c.project_id = $1 and c.id = $2 and c.deleted_at is null
     returning new.project_id, old.email, old.subscribed, ${hasOptedOut('old')} as "optedOut"),
   tallied as (${contactTally('select project_id, -count(*)::int as change from hidden group by project_id')})
   select email, subscribed, "optedOut" from hidden`,
)

/**
 * Adds a line to the log, for the contact $2 or for none where that is null, and stores its record $8 as the answer of a key
 * ($7, see storedAnswers), in one statement. Returns no row, and does nothing, when there is no such contact.
 */
export const recordLine = statement<{ id: string }>(
  'contacts_record_line',
  `with line as (
     insert into events (project_id, id, name, contact_id, data, created_at)
     select $1, $3, $4, $2::text, $5::jsonb, $6
     where $2::text is null or exists (select from contacts c where c.project_id = $1 and c.id = $2 and c.deleted_at is null) returning id),
   ${storedAnswers('$7', 'select id, $8::jsonb from line')}
   select id from line`,
)
