import { countWaiting, jobInsert } from '../../../kit/jobs.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../../kit/postgres/erase.ts'
import { countSlots } from '../../../kit/postgres/totals.ts'
import { contactDeletedQueue, contactsPerErasure, eraseContactQueue, eraseContactsQueue } from '../shapes.ts'
import { contactTally } from '../sql.ts'

/** Queues a job for each of the deleted contacts ($2) that has been in workflows; returns a row for each. */
export const queueDeletions = statement<{ queued: number }>(
  'contacts_queue_deletions',
  `with been as materialized (
     select jsonb_build_object('projectId', $1::text, 'contactId', u.id) as payload from unnest($2::text[]) as u(id)
     where (select true from workflow_executions x where x.project_id = $1 and x.contact_id = u.id limit 1)),
   job as (${jobInsert(contactDeletedQueue, 'been')})
   select 1 as queued from been`,
)

/** Deletes the rows of hidden contacts ($2), which no other rows reference any more. */
export const removeHidden = statement<object>(
  'contacts_remove_hidden',
  'delete from contacts where project_id = $1 and id = any($2::text[]) and deleted_at is not null',
)

// While so many jobs wait, work goes on, and what they are about is only late.
const maxWaiting = 100

/**
 * Queues the erasures of up to $3 hidden contacts again for which that was not done since $1, as of now ($2), in jobs of one project
 * each; returns how many contacts. That time is `updated_at`, which nobody reads of a hidden contact. One whose erasure has ended has only
 * its row left. Hand-written for `skip locked`: of two processes one queues a contact, and its job is queued with that. It reads the
 * index of hidden contacts only.
 */
export const requeueErasures = statement<{ count: number }>(
  'contacts_requeue_erasures',
  `with stale as (
     select c.project_id, c.id from contacts c
     where c.deleted_at is not null and c.updated_at < $1
       and ${countWaiting([eraseContactQueue, eraseContactsQueue], maxWaiting)} < ${maxWaiting}
     limit $3 for update of c skip locked),
   claimed as (
     update contacts c set updated_at = $2 from stale s where c.project_id = s.project_id and c.id = s.id returning c.project_id, c.id),
   numbered as (select k.*, (row_number() over (partition by k.project_id order by k.id) - 1) / ${contactsPerErasure} as nth from claimed k),
   orders as (
     select jsonb_build_object('projectId', n.project_id, 'contacts', jsonb_agg(jsonb_build_object('contactId', n.id, 'erasureId', coalesce((
       select x.id from event_erasures x where x.project_id = n.project_id and x.contact_id = n.id limit 1), '')))) as payload
     from numbered n group by n.project_id, n.nth),
   job as (${jobInsert(eraseContactsQueue, 'orders')})
   select count(*)::int as count from claimed`,
  { allProjects: 'one scheduled job finds the lost erasures of all projects' },
)

/**
 * Deletes up to $2 of a project's contacts, with any emails they still have; those that were visible count no longer. Returns how many, 0
 * when none is left.
 */
export const removeContacts = batchStatement<{ count: number }>(
  'contacts_remove_contacts',
  `with chosen as materialized (select id from contacts where project_id = $1 order by id limit $2),
   gone as (delete from contacts where project_id = $1 and id = any(array(select id from chosen)) returning project_id, deleted_at),
   tallied as (${contactTally('select project_id, -count(*)::int as change from gone where deleted_at is null group by project_id')})
   select count(*)::int as count from chosen`,
)

/** Deletes the count of the contacts of a project, once they are deleted. Returns the number of rows, 0 when none is left. */
export const eraseContactCounts = eraser('contact_counts', 'slot', countSlots)
