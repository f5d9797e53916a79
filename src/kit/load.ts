import type { Ctx } from './context.ts'
import { perWorld } from './world.ts'

type Reading = Pick<Ctx, 'world' | 'db' | 'projectId'>
type Waiting<Row> = Map<string, PromiseWithResolvers<Row | null>>

/**
 * Loads single rows for many callers at once: everything requested in one turn of the event loop is read in one statement
 * per project and selection, so that a relation of a list costs one query and not one per item. Null for an id that is
 * null or does not exist.
 *
 * @param read returns those rows of the ids that exist and are visible; `query` is what Prisma selects, including the id
 */
export function loader<Row extends { id: string }>(read: (ctx: Reading, ids: string[], query: object) => Promise<Row[]>) {
  const groupsOf = perWorld(() => new Map<string, Waiting<Row>>())

  async function settle(ctx: Reading, waiting: Waiting<Row>, query: object): Promise<void> {
    try {
      const rows = new Map((await read(ctx, [...waiting.keys()], query)).map((row) => [row.id, row]))
      for (const [id, { resolve }] of waiting) resolve(rows.get(id) ?? null)
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error)
    }
  }

  return async (ctx: Reading, { id }: { id: string | null | undefined }, query: object): Promise<Row | null> => {
    if (id == null) return null
    const groups = groupsOf(ctx.world)
    const key = `${ctx.projectId} ${JSON.stringify(query)}`
    let waiting = groups.get(key)
    if (!waiting) {
      const opened: Waiting<Row> = new Map()
      waiting = opened
      groups.set(key, opened)
      setImmediate(() => {
        groups.delete(key)
        void settle(ctx, opened, query)
      })
    }
    const asked = waiting.get(id) ?? Promise.withResolvers<Row | null>()
    waiting.set(id, asked)
    return asked.promise
  }
}
