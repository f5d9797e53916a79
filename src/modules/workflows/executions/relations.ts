import { batch, readsBeside } from '../../../kit/batch.ts'
import type { Ctx } from '../../../kit/context.ts'
import { countsOf } from '../../../kit/counts.ts'
import { notFound } from '../../../kit/errors.ts'
import { loader, type Reading } from '../../../kit/load.ts'
import { watcherOf } from '../../../kit/watch.ts'
import { perWorld } from '../../../kit/world.ts'
import type { ExecutionStatus } from '../shapes.ts'
import { executionsTopic } from '../wake.ts'
import { keyOf, namesOfSteps, type StepOfVersion } from './executions.ts'
import { countOfContacts, type Progress, selectProgress, selectStepCounts } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** The columns of an execution that GraphQL shows. */
export const executionColumns = {
  id: true,
  workflowId: true,
  version: true,
  contactId: true,
  status: true,
  currentStepId: true,
  reason: true,
  wakeAt: true,
  claim: true,
  waitsFor: true,
  startedBy: true,
  startedAt: true,
  completedAt: true,
  updatedAt: true,
} as const

/** An execution as it is stored. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredExecution({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }) {
  const row = await db.prisma.workflowExecution.findUnique({ where: { projectId_id: { projectId, id } }, select: executionColumns })
  if (!row) throw notFound()
  return row
}

/** An execution as it is stored. */
export type StoredExecution = Awaited<ReturnType<typeof getStoredExecution>>

/** When an execution goes on by itself; null unless it waits for a time. While a worker holds it, its `wakeAt` is the end of a lease. */
export function resumesAt({ status, claim, wakeAt }: Pick<StoredExecution, 'status' | 'claim' | 'wakeAt'>): Date | null {
  return status === 'WAITING' && claim === null ? wakeAt : null
}

/** The name of the event that an execution waits for; null unless it waits for one. */
export function eventWaitedFor({ status, waitsFor }: Pick<StoredExecution, 'status' | 'waitsFor'>): string | null {
  return status === 'WAITING' ? waitsFor : null
}

/** One execution, or null when there is none; parallel lookups are read in one statement. */
export const findExecution = loader(({ db, projectId }, ids, query) =>
  db.prisma.workflowExecution.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

const executionOfEmail = loader(({ db, projectId }, ids) =>
  db.prisma.email.findMany({ select: { id: true, executionId: true }, where: { projectId, id: { in: ids } } }),
)

/** The execution that something in the log is about, by itself or by its email; null where there is none. */
export async function findExecutionOf(
  ctx: Call,
  { executionId, emailId }: { executionId: string | null; emailId: string | null },
  query: object,
) {
  const id = executionId ?? (await executionOfEmail(ctx, { id: emailId }, {}))?.executionId
  return findExecution(ctx, { id }, query)
}

const countInBatch = countsOf(countOfContacts)

/** How many executions a contact has; concurrent calls are one statement. */
export async function countExecutionsOf(ctx: Reading, { id }: { id: string }): Promise<number> {
  return countInBatch(ctx, id)
}

const maxAtOnce = 500

const stepInBatch = perWorld(({ db }) =>
  batch(
    async (asked: (StepOfVersion & { projectId: string })[]) => {
      const found = new Map<string, Awaited<ReturnType<typeof namesOfSteps>>>()
      for (const [projectId, some] of Map.groupBy(asked, (one) => one.projectId))
        found.set(projectId, await namesOfSteps({ db, projectId }, some))
      return asked.map((one) => found.get(one.projectId)?.get(keyOf(one)) ?? null)
    },
    maxAtOnce,
    readsBeside,
  ),
)

/** A step as a version has it; null when its workflow was deleted. Concurrent calls are one statement per project. */
export async function findStepOfVersion({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, step: StepOfVersion) {
  return stepInBatch(world)({ projectId, ...step })
}

const countsInBatch = perWorld(({ db }) =>
  batch(
    async (asked: { projectId: string; workflowId: string; stepId: string }[]) => {
      const column = (name: 'projectId' | 'workflowId' | 'stepId') => asked.map((one) => one[name])
      return db.run(selectStepCounts, [column('projectId'), column('workflowId'), column('stepId')])
    },
    maxAtOnce,
    readsBeside,
  ),
)

/** How many executions have come to a step, left it, and failed at it; concurrent calls are one statement. */
export async function countVisits({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, step: { workflowId: string; stepId: string }) {
  return countsInBatch(world)({ projectId, ...step })
}

const ended: readonly ExecutionStatus[] = ['COMPLETED', 'EXITED', 'FAILED', 'CANCELLED']

const watch = watcherOf<Progress>({
  name: 'workflow executions',
  topic: executionsTopic,
  touches: (projects, { projectId }) => projects.includes(projectId),
  read: ({ db }, projects, ids) => db.run(selectProgress, [projects, ids]),
  stateOf: (row) => JSON.stringify(row),
  isFinal: ({ status }) => ended.includes(status),
})

/**
 * Streams how far an execution is: first as it is, then whenever it has changed, until it has ended. A slow reader is sent the newest
 * state only. Fails with RESOURCE_NOT_FOUND.
 */
export async function watchExecution(ctx: Call, { id }: { id: string }): Promise<AsyncIterableIterator<Progress, undefined>> {
  return watch(ctx, id, async () => {
    const [row] = await ctx.db.run(selectProgress, [[ctx.projectId], [id]])
    if (!row) throw notFound()
    return row
  })
}
