import { hasUnended } from '../../kit/jobs.ts'
import { statement } from '../../kit/postgres/db.ts'
import { batchStatement } from '../../kit/postgres/erase.ts'
import type { ChangeActor } from '../projects/changes.ts'
import { projectPicturesQueue } from './shapes.ts'

/** A reset or deletion. */
export interface ResetRow {
  projectId: string
  id: string
  kind: 'RESET' | 'DELETE'
  startedAt: Date
  /** Who asked for it; null for one that an earlier release began. */
  actor: ChangeActor | null
}

/** A reset or deletion that runs, and its project. */
export interface RunningRow extends Pick<ResetRow, 'id' | 'kind'> {
  name: string
  /** The project is suspended. */
  disabled: boolean
}

/** The running reset or deletion of a project. Hand-written: it is read under the lock of the project as well. */
export const findRunning = statement<RunningRow>(
  'resets_find_running',
  `select r.id, r.kind::text as kind, p.name, p.disabled from resets r join projects p on p.id = r.project_id
   where r.project_id = $1 and r.finished_at is null order by r.id desc limit 1`,
)

/** Inserts a reset or deletion, replacing earlier ones of the project. Hand-written for the transaction. */
export const insertReset = statement<object>(
  'resets_insert_reset',
  `with earlier as (delete from resets where project_id = $1 and id <> $2)
   insert into resets (project_id, id, kind, started_at, progress_at, actor) values ($1, $2, $3::reset_kind, $4, $4, $5::jsonb)`,
)

/** Records that a worker made progress; returns no row when the reset has finished or was replaced. Hand-written: one round trip per batch. */
export const recordProgress = statement<ResetRow>(
  'resets_record_progress',
  `update resets set progress_at = $3 where project_id = $1 and id = $2 and finished_at is null
   returning project_id as "projectId", id, kind::text as kind, started_at as "startedAt", actor`,
)

/**
 * Keeps a reset from ending until the transaction does, beside others that do, and lets their progress be recorded; returns no row when it
 * has finished or was replaced. Hand-written for the lock.
 */
export const holdRunning = statement<{ id: string }>(
  'resets_hold_running',
  'select id from resets where project_id = $1 and id = $2 and finished_at is null for key share',
)

/**
 * Finishes a reset, after those that hold it; returns no row when it has finished or was replaced. Hand-written for the lock: an update alone
 * would not wait for them.
 */
export const finishReset = statement<{ id: string }>(
  'resets_finish_reset',
  `with running as (select project_id, id from resets where project_id = $1 and id = $2 and finished_at is null for update)
   update resets r set finished_at = $3 from running where r.project_id = $1 and r.id = running.id returning r.id`,
)

/** Deletes the resets of a deleted project. Hand-written for the transaction. */
export const deleteResets = statement<object>('resets_delete_resets', 'delete from resets where project_id = $1')

/** One row while a reset is running. */
export const isRunning = statement<object>(
  'resets_is_running',
  'select 1 from resets where project_id = $1 and id = $2 and finished_at is null',
)

/**
 * Claims resets without progress since $1, as of now ($2), so that only one of two schedulers queues them; not those that wait for the
 * file store. Hand-written for `skip locked`.
 */
export const claimStalled = batchStatement<Pick<ResetRow, 'projectId' | 'id' | 'kind'>>(
  'resets_claim_stalled',
  `update resets set progress_at = $2 where ctid = any(array(
     select r.ctid from resets r where r.finished_at is null and r.progress_at < $1
        and not ${hasUnended(projectPicturesQueue, 'id', 'r.id')} limit 100 for update skip locked))
   returning project_id as "projectId", id, kind::text as kind`,
  { allProjects: 'one scheduled job resumes the resets of all projects' },
)
