import { statement } from '../../kit/postgres/db.ts'

/** A reset or deletion. */
export interface ResetRow {
  projectId: string
  id: string
  kind: 'RESET' | 'DELETE'
}

/** The reset of a project that is under way. Hand-written: it is read under the lock of the project. */
export const findRunning = statement<{ id: string }>(
  'resets_find_running',
  `select id from resets where project_id = $1 and finished_at is null order by id desc limit 1`,
)

/** Notes a reset or deletion; of a project's earlier ones nothing needs to be known any more. Hand-written for the transaction. */
export const noteReset = statement<object>(
  'resets_note',
  `with earlier as (delete from resets where project_id = $1 and id <> $2)
   insert into resets (project_id, id, kind, started_at, progress_at) values ($1, $2, $3::reset_kind, $4, $4)`,
)

/** Says that a worker is at it; nothing is answered when it has been finished or replaced. Hand-written: one round trip a batch. */
export const touchReset = statement<ResetRow>(
  'resets_touch',
  `update resets set progress_at = $3 where project_id = $1 and id = $2 and finished_at is null
   returning project_id as "projectId", id, kind::text as kind`,
)

/** Ends a reset; nothing is answered when it has been finished or replaced. Hand-written for the transaction. */
export const finishReset = statement<{ id: string }>(
  'resets_finish',
  'update resets set finished_at = $3 where project_id = $1 and id = $2 and finished_at is null returning id',
)

/** Forgets the resets of a project that is no more. Hand-written for the transaction. */
export const forgetResets = statement<object>('resets_forget', 'delete from resets where project_id = $1')

/** Whether a reset is still under way. */
export const isRunning = statement<object>(
  'resets_is_running',
  'select 1 from resets where project_id = $1 and id = $2 and finished_at is null',
)

/**
 * Resets nobody has been at since $1, taken for the moment $2 so that of two schedulers one queues them. Hand-written for
 * `skip locked`.
 */
export const claimLost = statement<ResetRow>(
  'resets_claim_lost',
  `update resets set progress_at = $2 where (project_id, id) in
     (select project_id, id from resets where finished_at is null and progress_at < $1 limit 100 for update skip locked)
   returning project_id as "projectId", id, kind::text as kind`,
  { allProjects: 'one timetable looks after the resets of all projects' },
)
