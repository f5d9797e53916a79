import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'

/** What came of a reset: done, or still running as a job. */
export const ResetResult = z
  .union([
    z.object({ success: z.literal(true), message: z.string() }).describe('Done.'),
    z
      .object({ message: z.string(), jobId: z.string().describe('Names the job that goes on; starts with `job_`.') })
      .describe('Still running; the same call waits for the same job.'),
  ])
  .meta({
    id: 'ResetResult',
    examples: [{ success: true, message: 'Acme is empty: its domains, keys, members and settings are as they were.' }],
  })
/** What came of a reset: done, or still running as a job. */
export type ResetResult = z.output<typeof ResetResult>

const ResetJob = z.object({ projectId: z.string(), id: z.string() })
/** Which reset or deletion. */
export type ResetJob = z.output<typeof ResetJob>

/** Removes what is in a project, some batches at a time; what is still to do is kept in the table of resets. */
export const resetQueue: Queue<ResetJob> = { name: 'project-reset', shape: ResetJob, concurrency: 2 }
