import { createCache } from '../../../../kit/cache.ts'
import type { Ctx } from '../../../../kit/context.ts'
import { within } from '../../../../kit/deadline.ts'
import { notFound } from '../../../../kit/errors.ts'
import { loader, type Reading } from '../../../../kit/load.ts'
import { scanned } from '../../../../kit/postgres/scanned.ts'
import { recent } from '../../../../kit/recent.ts'
import { type Watched, watcherOf } from '../../../../kit/watch.ts'
import { perWorld, type World } from '../../../../kit/world.ts'
import { executionsTopic } from '../../wake.ts'
import { type CountsRow, selectExecutionCounts, selectWorkflowStates, type WorkflowState } from './sql.ts'

const exactUpTo = 10_000
const maxAgeMs = 60_000

// Those of a project that are asked for in one turn of the event loop are one statement, and a workflow that many ask for is counted once.
const countSome = loader<CountsRow>(({ db, projectId }, ids) => db.lists.run(selectExecutionCounts, [projectId, ids, exactUpTo + 1]))

const tooSlow = 'Counting the executions of the workflow took longer than 15 s.'

// Holds the counts of large workflows only. Users can see how old they are, so their age is measured by the world's clock.
const largeCounts = perWorld(({ clock }) =>
  createCache({
    max: 1_000,
    ttlMs: maxAgeMs,
    clock,
    nameOf: ({ projectId, id }) => `${projectId} ${id}`,
    load: async ({ db, projectId, id }: Watched & Pick<Reading, 'db'>) =>
      (await scanned(db.scans.run(selectExecutionCounts, [projectId, [id], Number.MAX_SAFE_INTEGER]), tooSlow))[0],
  }),
)

/**
 * How many executions of a workflow are in each state, and how many that have not ended are at each step: exact while no state has more
 * than 10,000, above that at most 60 s old. Concurrent calls are one statement. Fails with SERVICE_UNAVAILABLE when it takes longer than
 * 15 s.
 */
export async function getExecutionCounts(ctx: Reading, { id }: { id: string }): Promise<Pick<CountsRow, 'states' | 'steps'>> {
  // Counted for everybody who asks meanwhile.
  const key = { db: ctx.db.lasting(), projectId: ctx.projectId, id }
  const cached = largeCounts(ctx.world).get(key)
  if (cached) return cached
  const counted = await countSome(ctx, { id }, {})
  if (!counted) return { states: {}, steps: {} }
  const isLarge = Object.values(counted.states).some((count) => count > exactUpTo)
  return (isLarge && (await largeCounts(ctx.world).find(key))) || counted
}

/** What is watched of a workflow; its counts are null while they take long. */
type Progress = WorkflowState & { counts: Pick<CountsRow, 'states' | 'steps'> | null }

const maxWaitMs = 1_000

async function readProgress(world: World, projects: string[], ids: string[]): Promise<Progress[]> {
  const watched = [...new Map(ids.map((id, at) => [id, { projectId: projects[at] ?? '', id }])).values()]
  const rows = await world.db.run(selectWorkflowStates, [watched.map(({ projectId }) => projectId), watched.map(({ id }) => id)])
  return Promise.all(rows.map(async (row) => ({ ...row, counts: await countsSoon(world, row) })))
}

const maxWatchers = 10_000
// By project, whose turns of the database counting takes: those of who began to watch one of its workflows last.
const watchers = perWorld(() => recent<string, Reading['db']>({ max: maxWatchers }))

// One that takes long holds up no other that is watched: whoever reads it then waits for itself.
async function countsSoon(world: World, { projectId, id }: Watched): Promise<Progress['counts']> {
  const db = watchers(world).get(projectId) ?? world.db
  const counting = getExecutionCounts({ world, db, projectId }, { id }).catch((error: unknown) => {
    world.log.debug({ err: error, workflow: id }, 'workflows: the executions of a workflow that is watched could not be counted')
    return null
  })
  return within(maxWaitMs, counting, () => null)
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
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { id }: { id: string },
): Promise<AsyncIterableIterator<Progress, undefined>> {
  watchers(ctx.world).set(ctx.projectId, ctx.db.lasting())
  return watch(ctx, id, async () => {
    const [row] = await readProgress(ctx.world, [ctx.projectId], [id])
    if (!row) throw notFound()
    return row
  })
}
