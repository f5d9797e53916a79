import { statement } from '../../../kit/postgres/db.ts'
import { segmentsIn } from '../sql.ts'

/**
 * Locks what asks for which segments in a project until the transaction ends. A lock of its own, and not the row of the project: whoever
 * changes contacts in batches holds segments when that is locked.
 */
export const lockAsking = statement<object>(
  'filters_lock_asking',
  `select pg_advisory_xact_lock(hashtextextended('postwire segments ' || $1, 0))`,
  { allProjects: 'it reads no table' },
)

/** Those of some segments ($2) that exist; they are locked against their deletion until the transaction ends. Hand-written for the lock. */
export const holdExisting = statement<{ id: string; condition: string | null; since: Date }>(
  'filters_hold_existing',
  'select id, condition::text as condition, coalesce(condition_at, created_at) as since from segments where project_id = $1 and id = any($2::text[]) order by id for key share',
)

/** Which of some segments ($2) exist, and the segments that their conditions refer to. */
export const selectReferences = statement<{ id: string; segmentIds: string[] }>(
  'filters_select_references',
  `select s.id, ${segmentsIn('s.condition')} as "segmentIds" from segments s where s.project_id = $1 and s.id = any($2::text[])`,
)

/** How many of some segments ($2) exist. */
export const countExisting = statement<{ count: number }>(
  'filters_count_existing',
  'select count(*)::int as count from segments where project_id = $1 and id = any($2::text[])',
)
