import { statement } from '../../../kit/postgres/db.ts'
import { recordOf } from '../fields/columns.ts'
import type { Contact } from '../shapes.ts'
import { hasOptedOut, writtenId } from '../sql.ts'

/**
 * Waits until no other transaction changes a contact found by its id. Unlike the lock of its row, which a waiting transaction takes behind
 * those that come meanwhile, this one is taken in turn and leaves the transaction without an id, which is its place in the log.
 */
export const awaitContact = statement<object>(
  'contacts_await_contact',
  `select pg_advisory_xact_lock(hashtextextended(c.project_id || ' ' || c.id, 0)) from contacts c where c.project_id = $1 and c.id = $2`,
)

/**
 * Changes a contact found by its id, where it still has an address ($8; null: whichever it has); one that is unsubscribed has opted out,
 * also when it was never subscribed. Returns no row when there is none, or nothing of it changes. Also returns whether it was subscribed
 * before, for the log, whether it has taken another address, and whether it has opted out with the one it had before. The row is locked
 * first: an update takes the id of its transaction, which is its place in the log, before it waits for the row, a lock after.
 */
export const changeContact = statement<Contact & { was: boolean; moved: boolean; left: string; optedOut: boolean }>(
  'contacts_change_contact',
  `with held as materialized (
     select c.project_id, c.id from contacts c
     where c.project_id = $1 and c.id = $2 and c.deleted_at is null and ($8::text is null or c.email = $8)
       and ((coalesce($3, c.email), coalesce($4, c.subscribed), (c.data || $5::jsonb) - $6::text[]) is distinct from (c.email, c.subscribed, c.data)
         or not $4 and not ${hasOptedOut('c')})
     for no key update)
   update contacts c set
     email = coalesce($3, c.email), subscribed = coalesce($4, c.subscribed), opted_out = c.opted_out or coalesce(not $4, false),
     data = case when $5::jsonb = '{}' and $6::text[] = '{}' then c.data else (c.data || $5::jsonb) - $6::text[] end, updated_at = $7
   from held h where c.project_id = h.project_id and c.id = h.id
   returning old.subscribed as was, old.email <> new.email as moved, old.email as left,
     old.email <> new.email and (${hasOptedOut('old')} or not coalesce($4, true)) as "optedOut",
     ${recordOf('new', { id: writtenId })}`,
)

/**
 * Unsubscribes a contact ($2) that has taken an address ($3, its keyed hash) if that had opted out, and returns it. A statement
 * after the change of the address: only then is the deletion of the contact that had it certain to be visible.
 */
export const takeOptOut = statement<Contact>(
  'contacts_take_opt_out',
  `update contacts c set subscribed = false, opted_out = true
   where c.project_id = $1 and c.id = $2 and exists (select from opt_outs x where x.project_id = $1 and x.hash = $3)
   returning ${recordOf('c')}`,
)
