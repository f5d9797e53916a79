import { batch } from '../../../../kit/batch.ts'
import { createCache } from '../../../../kit/cache.ts'
import type { Ctx } from '../../../../kit/context.ts'
import { notFound } from '../../../../kit/errors.ts'
import { scanned } from '../../../../kit/postgres/scanned.ts'
import { type Watched, watcherOf } from '../../../../kit/watch.ts'
import { perWorld, type World } from '../../../../kit/world.ts'
import { executionsTopic } from '../../wake.ts'
import { type CountsRow, selectExecutionCounts, selectWorkflowStates, type WorkflowState } from './sql.ts'

const exactUpTo = 10_000
const maxAgeMs = 60_000
const maxAtOnce = 500

const none: CountsRow = { states: {}, steps: {} }
const nameOf = ({ projectId, id }: Watched) => `${projectId} ${id}`

// A workflow that many ask for at once is counted once. The projects of a group take turns.
const countInBatch = perWorld(({ db }) =>
  batch(async (asked: Watched[]) => {
    const found = new Map<string, CountsRow>()
    await Promise.all(
      [...Map.groupBy(asked, ({ projectId }) => projectId)].map(async ([projectId, some]) => {
        const ids = [...new Set(some.map(({ id }) => id))]
        const counts = await db.lists.run(selectExecutionCounts, [projectId, ids, exactUpTo + 1])
        for (const [at, id] of ids.entries()) found.set(nameOf({ projectId, id }), counts[at] ?? none)
      }),
    )
    return asked.map((one) => found.get(nameOf(one)) ?? none)
  }, maxAtOnce),
)

const tooSlow = 'Counting the executions of the workflow took longer than 15 s.'

// Holds the counts of large workflows only. Users can see how old they are, so their age is measured by the world's clock.
const largeCounts = perWorld((world) =>
  createCache({
    max: 1_000,
    ttlMs: maxAgeMs,
    clock: world.clock,
    nameOf,
    load: async ({ projectId, id }: Watched) =>
      (await scanned(world.db.scans.run(selectExecutionCounts, [projectId, [id], Number.MAX_SAFE_INTEGER]), tooSlow))[0],
  }),
)

async function countExecutions(world: World, { projectId, id }: Watched): Promise<CountsRow> {
  const key = { projectId, id }
  const cached = largeCounts(world).get(key)
  if (cached) return cached
  const counted = await countInBatch(world)(key)
  const isLarge = Object.values(counted.states).some((count) => count > exactUpTo)
  return (isLarge && (await largeCounts(world).find(key))) || counted
}

/**
 * How many executions of a workflow are in each state, and how many that have not ended are at each step: exact while no state has more
 * than 10,000, above that at most 60 s old. Concurrent calls are one statement. Fails with SERVICE_UNAVAILABLE when it takes longer than
 * 15 s.
 */
export async function getExecutionCounts(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<CountsRow> {
  return countExecutions(world, { projectId, id })
}

type Progress = WorkflowState & { counts: CountsRow }

async function readProgress(world: World, projects: string[], ids: string[]): Promise<Progress[]> {
  const watched = [...new Map(ids.map((id, at) => [id, { projectId: projects[at] ?? '', id }])).values()]
  const values = [watched.map(({ projectId }) => projectId), watched.map(({ id }) => id)]
  const rows = await world.db.run(selectWorkflowStates, values)
  return Promise.all(rows.map(async (row) => ({ ...row, counts: await countExecutions(world, row) })))
}

const watch = watcherOf<Progress>({
  name: 'workflows',
  topic: executionsTopic,
  touches: (projects, { projectId }) => projects.includes(projectId),
  read: readProgress,
  stateOf: ({ updatedAt, visits, counts }) => JSON.stringify([updatedAt, visits, counts]),
  isFinal: () => false,
})

/**
 * Streams how far the executions of a workflow are: first as it is, then whenever a count, or the workflow, has changed. A slow reader is
 * sent the newest state only. Fails with RESOURCE_NOT_FOUND; ends when the workflow is deleted, and when the world closes.
 */
export async function watchWorkflow(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  { id }: { id: string },
): Promise<AsyncIterableIterator<Progress, undefined>> {
  return watch(ctx, id, async () => {
    const [row] = await readProgress(ctx.world, [ctx.projectId], [id])
    if (!row) throw notFound()
    return row
  })
}
