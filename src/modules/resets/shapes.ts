import { z } from 'zod'
import type { Queue } from '../../kit/jobs.ts'

/** The result of a reset: done, or still running as a job. */
export const ResetResult = z
  .union([
    z.object({ success: z.literal(true), message: z.string() }).describe('The project is empty.'),
    z
      .object({ message: z.string(), jobId: z.string().describe('Id of the job that continues; starts with `job_`.') })
      .describe('Still running. Repeating the call waits for the same job.'),
  ])
  .meta({
    id: 'ResetResult',
    examples: [{ success: true, message: 'Acme is empty. Its domains, keys, members and settings were kept.' }],
  })
/** The result of a reset: done, or still running as a job. */
export type ResetResult = z.output<typeof ResetResult>

const ProjectResetJob = z.object({ projectId: z.string(), id: z.string() })
/** Identifies a reset or deletion. */
export type ProjectResetJob = z.output<typeof ProjectResetJob>

// What a killed worker had begun goes on soon.
const heartbeatSeconds = 15

/** Empties projects, some batches per job; the table of resets records what is still to do. */
export const projectResetQueue: Queue<ProjectResetJob> = {
  name: 'project-reset',
  shape: ProjectResetJob,
  concurrency: 2,
  heartbeatSeconds,
}

/** Removes deleted projects, in places of its own: somebody waits for a reset, and its project cannot be changed until it ends. */
export const projectDeletionQueue: Queue<ProjectResetJob> = {
  name: 'project-deletion',
  shape: ProjectResetJob,
  concurrency: 2,
  heartbeatSeconds,
}

/** Removes the pictures of deleted projects, in places of its own: nothing else of a reset or deletion waits for the file store. */
export const projectPicturesQueue: Queue<ProjectResetJob> = {
  name: 'project-pictures',
  shape: ProjectResetJob,
  concurrency: 2,
  // A thousand files of a slow store take their time.
  expireSeconds: 1_800,
  heartbeatSeconds: 30,
}
