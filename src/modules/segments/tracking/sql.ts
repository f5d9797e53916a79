import { type Statement, statement } from '../../../kit/postgres/db.ts'
import type { Condition } from '../../filters/shapes.ts'
import { ownerOf } from '../../projects/owner.ts'

/** A dynamic segment whose members are to be computed. */
export interface ClaimedSegment {
  condition: Condition
  /** When its condition was chosen. */
  since: Date
}

/**
 * Claims a tracked segment ($2) for a computation ($3) for $4 seconds, by the clock of Postgres and $5 ms; returns no row when
 * another computation has it, or it is not tracked any more.
 */
export const claimSegment = statement<ClaimedSegment>(
  'segments_claim_segment',
  `update segments set claim = $3, claimed_until = clock_timestamp() + $4 * interval '1 second' + $5 * interval '1 ms'
   where project_id = $1 and id = $2 and track_membership and condition is not null
     and (claim is null or claimed_until < clock_timestamp() + $5 * interval '1 ms')
   returning condition, coalesce(condition_at, created_at) as since`,
)

/**
 * Renews the claim of a computation ($3) and locks the segment until the transaction ends; returns no row when the claim was
 * taken away, because the segment was changed or deleted.
 */
export const renewClaim = statement<{ name: string; slug: string | null }>(
  'segments_renew_claim',
  `update segments set claimed_until = clock_timestamp() + $4 * interval '1 second' + $5 * interval '1 ms'
   where project_id = $1 and id = $2 and claim = $3 returning name, slug`,
)

/** Ends the claim of a computation ($3). */
export const endClaim = statement<object>(
  'segments_end_claim',
  'update segments set claim = null, claimed_until = null where project_id = $1 and id = $2 and claim = $3',
)

/** Counts the stored members of a segment ($2) under its lock, in a statement of its own, so that its snapshot is taken after the lock. */
export const countMembers = statement<{ count: number }>(
  'segments_count_members',
  'select count(*)::int as count from segment_members where project_id = $1 and segment_id = $2',
)

/** Stores the number of members of a segment ($3) and when they were counted ($4), under its lock. */
export const storeMemberCount = statement<object>(
  'segments_store_member_count',
  'update segments set member_count = $3, counted_at = $4 where project_id = $1 and id = $2',
)

/**
 * Where the stored members of a segment differ from the matching ones (`matchingContacts`): up to `limit` contacts that enter or leave; the
 * other two are placeholders. It only reads, so that it holds no reader of the log back however long it takes.
 */
export function changesOfMembers(matching: string, segmentId: string, limit: string): Statement<{ id: string; enters: boolean }> {
  return statement(
    '',
    `select coalesce(n.id, m.contact_id) as id, m.contact_id is null as enters
     from (select c.id from ${matching}) n
     full join (select contact_id from segment_members where project_id = $1 and segment_id = ${segmentId}) m on m.contact_id = n.id
     where n.id is null or m.contact_id is null limit ${limit}`,
  )
}

const everyProject = { allProjects: 'one schedule computes the segments of all projects' }

/**
 * The projects that have dynamic segments due at $1, one of each owner, those that have waited longest first, at most $2; none that may
 * not be changed. Hand-written: one statement however many are due, of which it looks at the 2,000 that have waited longest.
 */
export const findProjectsDue = statement<{ projectId: string }>(
  'segments_find_projects_due',
  `select "projectId" from (
     select distinct on (coalesce(owner, d."projectId")) d."projectId", d.due from (
       select s.project_id as "projectId", min(s.due_at) as due, ${ownerOf('s.project_id')} as owner
       from segments s join projects p on p.id = s.project_id and not p.disabled and p.erasing_at is null
       where s.due_at <= $1 and s.condition is not null group by s.project_id order by 2 limit 2000) d
     order by coalesce(owner, d."projectId"), d.due) o
   order by due limit $2`,
  everyProject,
)

/** A segment that is due. */
export interface SegmentDue {
  id: string
  tracked: boolean
}

/**
 * Takes the dynamic segment of a project ($1) that has been due longest at $2, and makes it due again at $3: two workers never take the
 * same one. Tracked segments come first.
 */
export const takeSegmentDue = statement<SegmentDue>(
  'segments_take_segment_due',
  `update segments set due_at = $3 where project_id = $1 and id = (
     select id from segments where project_id = $1 and due_at <= $2 and condition is not null
     order by track_membership desc, due_at limit 1 for update skip locked)
   returning id, track_membership as tracked`,
)

/** Makes a segment due at $3, unless it has become due earlier by a change. */
export const postpone = statement<object>(
  'segments_postpone',
  'update segments set due_at = $3 where project_id = $1 and id = $2 and due_at = $4',
)
