import { batch } from './batch.ts'
import type { Statement } from './postgres/db.ts'
import { perWorld, type World } from './world.ts'

const maxAtOnce = 500

/** What is counted for: a resource of a project. */
export interface Counted {
  projectId: string
  id: string
}

/**
 * Counts something for many resources: all counts requested in one turn of the event loop, by any caller, are one statement
 * ($1 projects, $2 ids, one entry per resource), which returns one row per entry, in order.
 */
export function countsOf(counting: Statement<{ count: number }>): (world: World, one: Counted) => Promise<number> {
  const loaderOf = perWorld(({ db }) =>
    batch(async (asked: Counted[]) => {
      const rows = await db.run(counting, [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id)])
      return rows.map(({ count }) => count)
    }, maxAtOnce),
  )
  return (world, one) => loaderOf(world)(one)
}
