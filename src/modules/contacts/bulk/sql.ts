import { jobInsert } from '../../../kit/jobs.ts'
import { statement } from '../../../kit/postgres/db.ts'
import type { ListSql } from '../../../kit/postgres/list.ts'
import type { Leaving } from '../../suppressions/opt-outs.ts'
import { type ContactSearchSql, contacts } from '../audience/sql.ts'
import { eraseContactsQueue } from '../shapes.ts'
import { contactTally, hasOptedOut, hidden, writtenId } from '../sql.ts'

/** The contacts of a project without their data, which a bulk operation does not need. */
export const contactIds: ListSql<ContactSearchSql> = withoutData(contacts)

function withoutData({ long: _, ...list }: typeof contacts): ListSql<ContactSearchSql> {
  return { ...list, name: 'contacts_bulk', columns: 'l.id' }
}

/** Locks the segments that contacts ($2) are members of. Hand-written for the lock: see leaveSegments, which ends the memberships. */
export const lockSegmentsOf = statement<object>(
  'contacts_lock_segments_of',
  `select 1 from segments s where s.project_id = $1
     and s.id in (select m.segment_id from segment_members m where m.project_id = $1 and m.contact_id = any($2::text[]))
   order by s.id for no key update`,
)

/** Locks some contacts ($2) until the transaction ends, in the order of every write. */
export const lockMeant = statement<object>(
  'contacts_lock_meant',
  'select 1 from contacts c where c.project_id = $1 and c.id = any($2::text[]) order by c.project_id, c.email for update',
)

/** Those of some ids ($2) that are contacts. Hand-written, as the next ones: one statement per batch. */
export const selectIds = statement<{ id: string }>(
  'contacts_select_ids',
  'select id from contacts where project_id = $1 and id = any($2::text[]) and deleted_at is null',
)

/**
 * Subscribes or unsubscribes ($3) those of some contacts ($2) that are not so yet, locked in the order of every write, and returns whether
 * that is a change of their subscription: one that was never subscribed opts out without.
 */
export const changeSubscriptions = statement<{ id: string; isFlip: boolean }>(
  'contacts_change_subscriptions',
  `with held as materialized (
     select c.project_id, c.id from contacts c where c.project_id = $1 and c.id = any($2::text[]) and c.deleted_at is null
       and (c.subscribed <> $3 or not $3 and not ${hasOptedOut('c')})
     order by c.project_id, c.email for no key update)
   update contacts c set subscribed = $3, opted_out = c.opted_out or not $3, updated_at = $4
   from held h where c.project_id = h.project_id and c.id = h.id returning ${writtenId} as id, old.subscribed <> new.subscribed as "isFlip"`,
)

/** Hides some contacts ($2) as hideContact does one, locked in the order of every write. */
export const hideContacts = statement<{ id: string } & Leaving>(
  'contacts_hide_contacts',
  `with held as materialized (
     select c.project_id, c.id from contacts c where c.project_id = $1 and c.id = any($2::text[]) and c.deleted_at is null
     order by c.project_id, c.email for update),
   hidden as (
     update contacts c set ${hidden} from held h
     where c.project_id = h.project_id and c.id = h.id
     returning c.id, new.project_id, old.email, old.subscribed, ${hasOptedOut('old')} as "optedOut"),
   tallied as (${contactTally('select project_id, -count(*)::int as change from hidden group by project_id')})
   select id, email, subscribed, "optedOut" from hidden`,
)

/** Queues the jobs that remove the data of deleted contacts ($1, their payloads). */
export const queueErasures = statement<object>(
  'contacts_queue_erasures',
  `with job as (${jobInsert(eraseContactsQueue, '(select value as payload from jsonb_array_elements($1::jsonb))')}) select 1 where false`,
  { allProjects: 'a payload names its project' },
)
