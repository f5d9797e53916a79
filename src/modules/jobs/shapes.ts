import { z } from 'zod'
import { listOf } from '../../kit/bounded.ts'
import type { Queue } from '../../kit/jobs.ts'
import { Timestamp } from '../../kit/shapes.ts'

/** What a job does. */
export const JobKind = z.enum(['import', 'bulk'])
/** What a job does. */
export type JobKind = z.output<typeof JobKind>

/** How far a job is: `completed`, `failed` and `cancelled` are final. */
export const JobState = z.enum(['waiting', 'active', 'completed', 'failed', 'cancelled'])
/** How far a job is. */
export type JobState = z.output<typeof JobState>

/** Which jobs a list holds. */
export const JobFilter = z.object({
  kinds: listOf(JobKind, { min: 1, max: 10 }).optional().describe('Only jobs that do one of these.'),
  states: listOf(JobState, { min: 1, max: 10 }).optional().describe('Only jobs that are this far: in one of these states.'),
})
/** Which jobs a list holds. */
export type JobFilter = z.output<typeof JobFilter>

/** A job as its callers see it. */
export interface JobRow {
  id: string
  kind: JobKind
  state: JobState
  progress: number
  /** What was done so far; see resultOf. */
  result: unknown
  failedReason: string | null
  createdAt: Date
  finishedAt: Date | null
}

/**
 * The result of a job of a kind as its callers see it: null until it has ended, because what is counted on the way is no result,
 * and null for a job of another kind.
 */
export function resultOf<Result>(
  { kind, finishedAt, result }: Pick<JobRow, 'kind' | 'finishedAt' | 'result'>,
  wanted: JobKind,
  shape: z.ZodType<Result>,
): Result | null {
  return kind === wanted && finishedAt ? shape.nullable().parse(result) : null
}

/** What a job does, and how much of it is done. */
export interface JobWork {
  /** What a bulk operation does; null for others. */
  operation: string | null
  done: number
  total: number | null
}

/** A job as a worker continues it. */
export interface ClaimedJob {
  projectId: string
  id: string
  kind: JobKind
  input: unknown
  place: unknown
  result: unknown
  tries: number
  createdAt: Date
}

/** The answer to a call that queues a job. */
export const JobQueued = z
  .object({ message: z.string(), jobId: z.string().describe('Id of the job; starts with `job_`.') })
  .meta({ id: 'JobQueued', examples: [{ message: 'Import queued successfully', jobId: 'job_01m7y3mwcpfqhrhzca2e1aqg79' }] })
/** The answer to a call that queues a job. */
export type JobQueued = z.output<typeof JobQueued>

/** The id of a job in a path. */
export const ByJobId = z.object({ jobId: z.string() })

/** The shape of a job whose result has a given shape. */
export function jobOf<Result extends z.ZodType>(result: Result) {
  return z.object({
    id: z.string(),
    state: JobState.describe(
      '`completed`, `failed` and `cancelled` are final. While the project is suspended a job pauses, and keeps its state.',
    ),
    progress: z.number().int().min(0).max(100).describe('Percent of the work that is done.'),
    result: result
      .nullable()
      .describe('What was done; null until the job has ended. What was done before it failed or was cancelled stays.'),
    failedReason: z.string().nullable().describe('Why it failed, in a sentence.'),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
}

// A ticket names no job: whoever has it continues the next one. The job itself records how often it was tried.
const ticketed = { shape: z.object({}), concurrency: 2, retries: 0 }

/** The queue of each kind of job, with a ticket for each job that waits: workers do some chunks per ticket, then queue the next one. */
export const jobQueues: Record<JobKind, Queue<object>> = {
  import: { name: 'jobs-import', ...ticketed },
  bulk: { name: 'jobs-bulk', ...ticketed },
}
