import type { Ctx } from '../../src/kit/context.ts'
import { importContacts } from '../../src/modules/contacts/import/import.ts'
import type { ImportResult } from '../../src/modules/contacts/import/shapes.ts'
import { getJob } from '../../src/modules/jobs/job.ts'
import type { JobRow } from '../../src/modules/jobs/shapes.ts'
import { until } from './until.ts'

/** An import as it ended. */
export type EndedImport = JobRow & { result: ImportResult }

/** Queues the import of a CSV text; returns the id of its job. */
export async function queueImport(ctx: Ctx, csv: string | Buffer): Promise<string> {
  const answer = await importContacts(ctx, { file: { bytes: Buffer.from(csv as string) } })
  if (!('jobId' in answer)) throw new Error('The import was not queued')
  return answer.jobId
}

/** Waits until a job has ended; returns it. */
export async function ended(ctx: Ctx, id: string, timeoutMs = 60_000): Promise<JobRow> {
  let job = await getJob(ctx, { id })
  await until(async () => {
    job = await getJob(ctx, { id })
    return job.finishedAt !== null
  }, timeoutMs)
  return job
}

/** Imports a CSV text and waits until the job has ended. */
export async function imported(ctx: Ctx, csv: string | Buffer): Promise<EndedImport> {
  // The result of an import has this shape.
  return (await ended(ctx, await queueImport(ctx, csv))) as EndedImport
}

/** The contacts of a project by address: subscription and data. */
export async function contactsOf({ db, projectId }: Ctx) {
  const rows = await db.prisma.contact.findMany({ where: { projectId, deletedAt: null }, orderBy: { email: 'asc' } })
  return Object.fromEntries(rows.map(({ email, subscribed, data }) => [email, { subscribed, data }]))
}
