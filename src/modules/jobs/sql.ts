import { hasQueued, jobInsert } from '../../kit/jobs.ts'
import { type Statement, statement } from '../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../kit/postgres/erase.ts'
import { ownerOf, turnsOwnerOf } from '../projects/owner.ts'
import { type ClaimedJob, type JobKind, type JobRow, type JobWork, jobQueues } from './shapes.ts'

// Runs are on several machines, whose clocks differ: their times are those of Postgres ($n: a test's offset in ms).
const now = (ahead: string): string => `clock_timestamp() + ${ahead}::float8 * interval '1 ms'`
const record = `j.id, j.kind::text as kind, j.state::text as state, j.progress, j.result,
  j.failed_reason as "failedReason", j.created_at as "createdAt", j.finished_at as "finishedAt"`
const dropFile = `dropped as (
  delete from job_file_parts f using ended e where f.project_id = e.project_id and f.job_id = e.id)`

/** Locks a project while a job is added to it. Hand-written for the lock: without it, parallel calls could exceed the limit. */
export const lockProjectJobs = statement<object>('jobs_lock_project_jobs', 'select 1 from projects p where p.id = $1 for no key update', {
  allProjects: 'a project is found by its own id',
})

/** The number of jobs of a project that have not ended; a statement of its own, so that its snapshot is taken after the lock. */
export const countOpen = statement<{ count: number }>(
  'jobs_count_open',
  'select count(*)::int as count from jobs where project_id = $1 and finished_at is null',
)

/** Adds a job ($2 to $6) and forgets all ended jobs of the project but the newest $7. Hand-written: it runs under the lock. */
export const insertJob = batchStatement<object>(
  'jobs_insert_job',
  `with forgotten as (
     delete from jobs where project_id = $1 and id = any(array(
       select id from jobs where project_id = $1 and finished_at is not null order by id desc offset $7)))
   insert into jobs (project_id, id, kind, input, created_at, progress_at) values ($1, $2, $3::job_kind, $4::jsonb, $5, ${now('$6')})`,
)

/** Adds the parts of the file of a job ($2), in order. Hand-written: one statement in the transaction of the job. */
export const insertFile = statement<object>(
  'jobs_insert_file',
  `insert into job_file_parts (project_id, job_id, part, bytes)
   select $1, $2, p.part - 1, p.bytes from unnest($3::bytea[]) with ordinality as p(bytes, part)`,
)

/** One part of the file of a job. Hand-written: a worker reads the file part by part. */
export const selectPart = statement<{ bytes: Buffer }>(
  'jobs_select_part',
  'select bytes from job_file_parts where project_id = $1 and job_id = $2 and part = $3',
)

/** One job, of any kind or of one ($3). */
export const selectJob = statement<JobRow>(
  'jobs_select_job',
  `select ${record} from jobs j where j.project_id = $1 and j.id = $2 and ($3::job_kind is null or j.kind = $3::job_kind)`,
)

/** What some jobs ($2) do, and how much of it is done. Hand-written to leave their inputs, which may be long, in the database. */
export const selectWork = statement<JobWork & { id: string }>(
  'jobs_select_work',
  `select j.id, coalesce(j.input ->> 'operation', j.result ->> 'operation') as operation,
     coalesce((j.place ->> 'done')::float8, (j.result ->> 'totalRequested')::float8, (j.result ->> 'totalRows')::float8, 0) as done,
     coalesce((j.place ->> 'total')::float8, case when j.state = 'completed'
       then coalesce((j.result ->> 'totalRequested')::float8, (j.result ->> 'totalRows')::float8) end) as total
   from jobs j where j.project_id = $1 and j.id = any($2::text[])`,
)

/** Some jobs of any projects ($1 projects, $2 ids). Hand-written: all jobs that a process watches are one read. */
export const selectWatched = statement<JobRow & { projectId: string }>(
  'jobs_select_watched',
  `select j.project_id as "projectId", ${record} from jobs j where (j.project_id, j.id) in (select * from unnest($1::text[], $2::text[]))`,
)

// Whether a job waits for a worker, or its worker has not committed a chunk within a lease ($n seconds). Those of a suspended project
// are not due.
const isDue = (ahead: string, lease: string): string => `j.finished_at is null and j.progress_at <= ${now(ahead)}
  and (j.holder is null or j.progress_at < ${now(ahead)} - ${lease}::float8 * interval '1 s')
  and not exists (select from projects s where s.id = j.project_id and s.disabled)`

/**
 * Claims the next job of a kind ($1) for a run ($2), with a lease of $4 seconds. The owners of projects take turns, then the projects of
 * an owner: it is the oldest job of the project that has waited longest, of the owner who has waited longest, since the last turn or
 * since a job was queued. An owner on whose jobs one of the runs $5 works has to wait. It reads the jobs that have not ended, and those of
 * the owners who wait. Hand-written for `skip locked`: condition and claim are one.
 */
export const claimNext = statement<ClaimedJob>(
  'jobs_claim_next',
  `with unfinished as materialized (select project_id, id, kind, holder, progress_at, finished_at from jobs where finished_at is null),
   busy as materialized (
     select ${turnsOwnerOf('r.project_id')} as owner from unfinished r
     where r.holder = any($5::text[]) and r.progress_at >= ${now('$3')} - $4::float8 * interval '1 s'),
   due as materialized (
     select ${turnsOwnerOf('j.project_id')} as owner, min(j.progress_at) as since
     from unfinished j where j.kind = $1::job_kind and ${isDue('$3', '$4')} group by j.project_id),
   owners as materialized (
     select d.owner, min(d.since) as since from due d where d.owner not in (select owner from busy) group by d.owner),
   -- A project that nobody owns is its own owner.
   turns as materialized (
     select t.project_id, t.at, greatest(t.since, max(t.at) over (partition by t.owner)) as owner_since
     from (select o.owner, o.since, p.project_id, (
         select max(l.progress_at) from jobs l where l.project_id = p.project_id and l.state <> 'waiting' and l.progress_at <= ${now('$3')}) as at
       from owners o cross join lateral (
         select own.project_id from memberships own
         where own.user_id = o.owner and own.role = 'OWNER' and ${ownerOf('own.project_id')} = o.owner
         union all select o.owner) p) t)
   update jobs set state = 'active', holder = $2, tries = tries + 1, progress_at = ${now('$3')}
   where (project_id, id) = (
     select j.project_id, j.id from turns t join jobs j on j.project_id = t.project_id
     where j.kind = $1::job_kind and ${isDue('$3', '$4')}
     order by t.owner_since, greatest(j.progress_at, t.at), j.id
     limit 1 for no key update of j skip locked)
   returning project_id as "projectId", id, kind::text as kind, input, place, result, tries, created_at as "createdAt"`,
  { allProjects: 'owners and their projects take turns' },
)

/** Locks a job for a chunk of a run ($3); no row when it has ended or was taken over. Hand-written for the lock. */
export const holdJob = statement<object>(
  'jobs_hold_job',
  `select 1 from jobs where project_id = $1 and id = $2 and holder = $3 and state = 'active' for no key update`,
)

/**
 * Records a chunk of a job that is locked; no row when the project is suspended. A suspension waits for the chunks that are recorded, and
 * then none is committed any more: the project is locked last, so that it waits for a moment only. Hand-written for the transaction of
 * the chunk.
 */
export const recordChunk = statement<object>(
  'jobs_record_chunk',
  `with open as materialized (select 1 from projects where id = $1 and not disabled for share)
   update jobs set place = $3::jsonb, result = $4::jsonb, progress = $5, tries = 0, progress_at = ${now('$6')}
   where project_id = $1 and id = $2 and exists (select from open) returning 1`,
)

/** Gives a job back at the end of a turn of a run ($3), to be continued in $5 seconds; no row when it has ended or was taken over. */
export const releaseJob = statement<{ id: string }>(
  'jobs_release_job',
  `update jobs set holder = null, progress_at = ${now('$4')} + $5::float8 * interval '1 s'
   where project_id = $1 and id = $2 and holder = $3 and state = 'active' returning id`,
)

/** Gives a job of a run ($3) back whose project is suspended: the run was no try. */
export const pauseJob = statement<object>(
  'jobs_pause_job',
  `update jobs set holder = null, tries = greatest(tries - 1, 0) where project_id = $1 and id = $2 and holder = $3 and state = 'active'`,
)

/** Ends a job of a run ($3) and removes its file and its input, which may name people; no row when it has ended or was taken over. Hand-written: one round trip. */
export const endJob = statement<{ id: string }>(
  'jobs_end_job',
  `with ended as (
     update jobs set state = $4::job_state, failed_reason = $5, finished_at = $6, holder = null, input = '{}', place = null,
       progress = case when $4::job_state = 'completed' then 100 else progress end
     where project_id = $1 and id = $2 and holder = $3 and state = 'active' returning project_id, id),
   ${dropFile} select id from ended`,
)

/** Cancels a job of one kind ($3, null for any) that has not ended, and removes its file and its input. Hand-written: condition and change are one. */
export const cancelOpen = statement<JobRow>(
  'jobs_cancel_open',
  `with ended as (
     update jobs set state = 'cancelled', finished_at = $4, holder = null, input = '{}', place = null
     where project_id = $1 and id = $2 and ($3::job_kind is null or kind = $3::job_kind) and finished_at is null returning *),
   ${dropFile} select ${record} from ended j`,
)

/** Empties addresses ($2, in lower case) in the row errors of the jobs of a project that have ended. */
export const emptyAddresses = statement<object>(
  'jobs_empty_addresses',
  `update jobs j set result = jsonb_set(j.result, '{errors}', (
     select jsonb_agg(case when lower(e.error ->> 'email') = any($2::text[]) then e.error || '{"email":""}' else e.error end order by e.at)
     from jsonb_array_elements(j.result -> 'errors') with ordinality e(error, at)))
   where j.project_id = $1 and j.finished_at is not null
     and exists (select from jsonb_array_elements(j.result -> 'errors') e(error) where lower(e.error ->> 'email') = any($2::text[]))`,
)

/** Lets one process at a time decide whether a ticket is missing. */
export const lockTickets = statement<object>('jobs_lock_tickets', `select pg_advisory_xact_lock(hashtext('postwire job tickets'))`, {
  allProjects: 'tickets belong to no project',
})

/** Queues a ticket of each kind if a job has been due for $2 seconds and no ticket waits; returns a row if it did. */
export const addTicket: Record<JobKind, Statement<object>> = { import: ticketOf('import'), bulk: ticketOf('bulk') }

function ticketOf(kind: JobKind): Statement<object> {
  const missing = `select '{}'::jsonb as payload where not ${hasQueued(jobQueues[kind])} and exists (
     select from jobs j where j.kind = '${kind}' and ${isDue('$1', '$2')} and j.progress_at <= ${now('$1')} - $2::float8 * interval '1 s')`
  return statement<object>(
    `jobs_add_ticket_${kind}`,
    `with added as (${jobInsert(jobQueues[kind], `(${missing})`)} returning 1) select 1 from added`,
    { allProjects: 'tickets belong to no project' },
  )
}

/** Removes one batch of the jobs that ended before a moment; returns how many. */
export const removeEnded = batchStatement<{ count: number }>(
  'jobs_remove_ended',
  `with gone as (
     delete from jobs where ctid = any(array(select ctid from jobs where finished_at < $1 limit $2 for update skip locked)) returning 1)
   select count(*)::int as count from gone`,
  { allProjects: 'old jobs of all projects are removed' },
)

/** Deletes one batch of a project's jobs: none of them can commit a chunk any more. Returns how many, 0 when none is left. */
export const eraseSomeJobs = eraser('jobs', 'id', 1_000)

/** Deletes one batch of the files of a project's jobs. Returns the number of parts, 0 when none is left. */
export const eraseSomeJobFiles = eraser('job_file_parts', 'job_id', 20)
