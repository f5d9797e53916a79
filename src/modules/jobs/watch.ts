import type { Ctx } from '../../kit/context.ts'
import { watcherOf } from '../../kit/watch.ts'
import { getJob, jobsTopic } from './job.ts'
import type { JobRow } from './shapes.ts'
import { selectWatched } from './sql.ts'

const watch = watcherOf<JobRow>({
  name: 'jobs',
  topic: jobsTopic,
  touches: (ids, { id }) => ids.includes(id),
  read: ({ db }, projects, ids) => db.run(selectWatched, [projects, ids]),
  stateOf: ({ state, progress }) => `${state} ${progress}`,
  isFinal: ({ finishedAt }) => finishedAt !== null,
})

/**
 * Streams a job: first as it is, then whenever it has changed, until it has ended; its last state is always the final one.
 * States that a slow reader has not read yet are replaced by newer ones. Fails with RESOURCE_NOT_FOUND; ends early when the
 * job is removed with its project, and when the world closes.
 */
export async function watchJob(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { id }: { id: string },
): Promise<AsyncIterableIterator<JobRow, undefined>> {
  return watch(ctx, id, () => getJob(ctx, { id }))
}
