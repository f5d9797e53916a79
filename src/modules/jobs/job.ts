import { asciiAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { loader } from '../../kit/load.ts'
import { topic } from '../../kit/notices.ts'
import { type ConnectionArgs, type IdWindow, readConnection } from '../../kit/paging.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { type JobFilter, type JobKind, type JobRow, jobQueues } from './shapes.ts'
import {
  cancelOpen,
  countOpen,
  emptyAddresses,
  insertFile,
  insertJob,
  lockProjectJobs,
  removeEnded,
  selectJob,
  selectPart,
  selectWork,
} from './sql.ts'

/** Notices of jobs that have made progress or ended; the keys are their ids. */
export const jobsTopic = topic('job-progress')

/** Most jobs of a project that may wait or run at a time, and so the most files that are stored for it. */
export const maxOpenJobs = 20
const maxEndedJobs = 100
const endedDays = 7
const dayMs = 86_400_000
const removedPerBatch = 1_000
const partBytes = 256 * 1024

/** What a call asks a job to do; `file` is stored in parts until the job has ended. */
export interface JobDraft {
  kind: JobKind
  input: object
  file?: Buffer
}

/**
 * Queues a job, with its file, in one transaction, and returns its id. Fails with LIMIT_REACHED while 20 jobs of the project
 * wait or run. The newest 100 ended jobs of a project are kept.
 */
export async function createJob({ db, clock, jobs, projectId }: Ctx, { kind, input, file }: JobDraft): Promise<string> {
  const now = clock.now()
  const id = newId('job', now)
  await db.transaction(async (tx) => {
    await tx.run(lockProjectJobs, [projectId])
    const [open] = await tx.run(countOpen, [projectId])
    if ((open?.count ?? 0) >= maxOpenJobs)
      throw new Failure('LIMIT_REACHED', `${maxOpenJobs} jobs of this project wait or run, which is the maximum.`, {
        suggestion: 'Wait until one has ended, or cancel one.',
      })
    await tx.run(insertJob, [projectId, id, kind, JSON.stringify(input), now, clock.aheadMs, maxEndedJobs - 1])
    if (file) await tx.run(insertFile, [projectId, id, partsOf(file)])
    await jobs.enqueue(jobQueues[kind], {}, tx)
  })
  return id
}

function partsOf(file: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(file.length / partBytes) }, (_, part) => file.subarray(part * partBytes, (part + 1) * partBytes))
}

/** The file of a job from a byte on, part by part; it ends early when the job has ended meanwhile. */
export async function* readJobFile({ db }: Pick<World, 'db'>, { projectId, id }: { projectId: string; id: string }, from: number) {
  for (let part = Math.floor(from / partBytes); ; part++) {
    const [found] = await db.run(selectPart, [projectId, id, part])
    if (!found) return
    yield found.bytes.subarray(Math.max(0, from - part * partBytes))
  }
}

interface Which {
  id: string
  /** Only a job of this kind. */
  kind?: JobKind
}

/** One job. Fails with RESOURCE_NOT_FOUND, also for a job of another kind than asked for. */
export async function getJob({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id, kind }: Which): Promise<JobRow> {
  const [job] = await db.run(selectJob, [projectId, id, kind ?? null])
  if (!job) throw notFound()
  return job
}

/** The jobs of a project as a connection, newest first; `query` says what to select of each node. */
export async function connectJobs(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  filter: JobFilter,
  args: ConnectionArgs,
  query: object,
) {
  const { kinds, states } = filter
  const wanted = { projectId, ...(kinds && { kind: { in: kinds } }), ...(states && { state: { in: states } }) }
  const read = async ({ where, ...window }: IdWindow) => ({
    rows: (await db.prisma.job.findMany({ ...query, ...window, where: { ...wanted, ...where } })) as JobRow[],
  })
  return readConnection<JobRow>({ kind: 'job', read, count: () => db.prisma.job.count({ where: wanted }) }, args)
}

/** One job, or null when there is none; parallel lookups are read in one statement. */
export const findJob = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.job.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

/** What a job does, and how much of it is done, or null when there is no such job; parallel lookups are read in one statement. */
export const findJobWork = loader(({ db, projectId }, ids) => db.run(selectWork, [projectId, ids]))

/**
 * Cancels a job: no chunk is committed after the answer; what was done stays. Fails with RESOURCE_NOT_FOUND, and with CONFLICT
 * when it has ended.
 */
export async function cancelJob(ctx: Ctx, { id, kind }: Which): Promise<JobRow> {
  const { db, clock, notices, projectId } = ctx
  const [cancelled] = await db.run(cancelOpen, [projectId, id, kind ?? null, clock.now()])
  if (cancelled) {
    notices.publish(jobsTopic, id)
    return cancelled
  }
  const { state } = await getJob(ctx, { id, ...(kind && { kind }) })
  throw new Failure('CONFLICT', `The job has ended already: it is ${state}.`)
}

/** Removes jobs that ended more than 7 days ago, in batches that each commit. */
export async function removeOldJobs({ db, clock, closing }: Pick<World, 'db' | 'clock' | 'closing'>): Promise<void> {
  const before = new Date(clock.now().getTime() - endedDays * dayMs)
  for (let removed = removedPerBatch; removed === removedPerBatch && !closing.aborted; )
    removed = (await db.run(removeEnded, [before, removedPerBatch]))[0]?.count ?? 0
}

/** Forgets the addresses of contacts that are deleted: the errors of their rows, in jobs that have ended, keep the row and the reason. */
export async function forgetAddresses(on: Executor, projectId: string, emails: readonly string[]): Promise<void> {
  await on.run(emptyAddresses, [projectId, [...new Set(emails.flatMap((email) => [email, asciiAddress(email)]))]])
}
