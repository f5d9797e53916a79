import { statement } from '../../../kit/postgres/db.ts'
import { eraser, eraserOf } from '../../../kit/postgres/erase.ts'
import { bytesOf } from '../../../kit/postgres/list.ts'
import { storesMembers } from '../../filters/sql.ts'

/**
 * Locks a segment ($2) until the transaction ends, so that one call at a time changes its members and the count of them is exact.
 * Hand-written for the lock.
 */
export const lockSegment = statement<{ name: string; slug: string | null }>(
  'segments_lock_segment',
  'select name, slug from segments where project_id = $1 and id = $2 for no key update',
)

/** Up to $1 projects with segments that an older version of this server has made. */
export const findUnnamed = statement<{ projectId: string }>(
  'segments_find_unnamed',
  'select distinct project_id as "projectId" from segments where slug is null limit $1',
  { allProjects: 'one scheduled job names the segments of all projects' },
)

/** Sets what the events of a segment ($2) are named after. Hand-written for the transaction. */
export const setSlug = statement<object>('segments_set_slug', 'update segments set slug = $3 where project_id = $1 and id = $2')

/**
 * Makes contacts ($3) members of a segment ($2) as of $4, in the order of their ids; returns those that were not members before.
 * They are locked first, in the order of every write: one that is being deleted is waited for, and does not become a member.
 */
export const insertMembers = statement<{ contactId: string }>(
  'segments_insert_members',
  `with held as materialized (
     select c.id from contacts c where c.project_id = $1 and c.id = any($3::text[]) and c.deleted_at is null
     order by c.project_id, c.email for key share)
   insert into segment_members (project_id, segment_id, contact_id, entered_at)
   select $1, $2, h.id, $4 from held h order by h.id on conflict do nothing returning contact_id as "contactId"`,
)

/** Ends the membership of contacts ($3) in a segment ($2); returns those that were members, and whether they still exist. */
export const deleteMembers = statement<{ contactId: string; exists: boolean }>(
  'segments_delete_members',
  `with gone as (
     delete from segment_members m where m.project_id = $1 and m.segment_id = $2 and m.contact_id = any($3::text[])
     returning m.project_id, m.contact_id)
   select g.contact_id as "contactId", (select c.deleted_at is null from contacts c where c.project_id = g.project_id and c.id = g.contact_id limit 1) as exists
   from gone g`,
)

/** Adds $3 to the count of a segment, in the transaction that changes its members. */
export const addToCount = statement<object>(
  'segments_add_to_count',
  'update segments set member_count = member_count + $3 where project_id = $1 and id = $2 and $3 <> 0',
)

/**
 * A page of the contacts of a static segment ($2), newest members first: $3 of them after the first $4. The members before the page are
 * skipped in the index, without their contacts, and those of the page are looked up (limit 1: Postgres never plans that as a join of
 * all contacts). A contact that is deleted is no member (see leaveSegments).
 */
export const selectMembers = statement<{ id: string }>(
  'segments_select_members',
  `select c.id from (
     select m.project_id, m.contact_id, m.entered_at from segment_members m where m.project_id = $1 and m.segment_id = $2
     order by m.entered_at desc, m.contact_id desc limit $3 offset $4) m
   cross join lateral (select c.id, c.deleted_at from contacts c where c.project_id = m.project_id and c.id = m.contact_id limit 1) c
   where c.deleted_at is null
   order by m.entered_at desc, m.contact_id desc`,
)

/** About how many bytes the data of each of some contacts ($2) has as JSON. */
export const selectDataBytes = statement<{ id: string; bytes: number }>(
  'segments_select_data_bytes',
  `select c.id, ${bytesOf('c.data')}::int as bytes from contacts c where c.project_id = $1 and c.id = any($2::text[])`,
)

/** The stored memberships of some contacts ($1 projects, $2 contacts, in pairs), newest segment first. */
export const findSegmentsOfContacts = statement<{ projectId: string; contactId: string; id: string }>(
  'segments_find_segments_of_contacts',
  `select m.project_id as "projectId", m.contact_id as "contactId", m.segment_id as id from segment_members m
   join segments s on s.project_id = m.project_id and s.id = m.segment_id and ${storesMembers('s')}
   where (m.project_id, m.contact_id) in (select * from unnest($1::text[], $2::text[])) order by m.segment_id desc`,
)

/** Removes one batch of the members of a deleted segment; returns how many, 0 when none is left. */
export const eraseMembersOf = eraserOf('segment_members', { of: 'segment_id', key: 'contact_id', max: 5_000 })

/** Deletes the memberships of one batch of the contacts of a project; returns how many, 0 when none is left. */
export const eraseSomeMembers = eraser('segment_members', 'contact_id', 2_000)
