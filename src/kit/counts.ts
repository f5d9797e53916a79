import { loader, type Reading } from './load.ts'
import type { Statement } from './postgres/db.ts'

/** The count of a resource. */
export interface Count {
  id: string
  count: number
}

/**
 * Counts something for many resources: all counts of a project that are requested in one turn of the event loop, by any caller, are one
 * statement ($1 the project, $2 ids), in the turns of lists: some resources have hundreds of thousands. 0 for an id of which it says nothing.
 */
export function countsOf(counting: Statement<Count>): (ctx: Reading, id: string) => Promise<number> {
  const find = loader<Count>(({ db, projectId }, ids) => db.lists.run(counting, [projectId, ids]))
  return async (ctx, id) => (await find(ctx, { id }, {}))?.count ?? 0
}
