import { batch, readsBeside } from './batch.ts'
import type { Ctx } from './context.ts'
import type { Statement } from './postgres/db.ts'
import { recent } from './recent.ts'
import { perWorld } from './world.ts'

/** The part of a call that reads rows for many callers at once: nothing in it is of one caller alone. */
export type Reading = Pick<Ctx, 'world' | 'db' | 'projectId'>
/** The part of a call that reads rows for itself alone; its `answer` tells it from others. */
export type ReadingAlone = Reading & Pick<Ctx, 'answer' | 'takeRoom'>
type Waiting<Row> = Map<string, PromiseWithResolvers<Row | null>>
// Those who wait for the same rows, and whose turns of the database the reading takes.
interface Group<Row> {
  waiting: Waiting<Row>
  db: Ctx['db']
}
type IdOrNone = { id: string | null | undefined }

/**
 * Loads single rows for many callers at once: everything requested in one turn of the event loop is read in one statement
 * per project and selection, so that a relation of a list costs one query and not one per item. Null for an id that is
 * null or does not exist.
 *
 * @param read returns those rows of the ids that exist and are visible; `query` is what Prisma selects, including the id, and empty where
 *   it is not Prisma that reads
 */
export function loader<Row extends { id: string }>(read: (ctx: Reading, ids: string[], query: object) => Promise<Row[]>) {
  const groupsOf = perWorld(() => new Map<string, Group<Row>>())
  return async ({ world, db, projectId }: Reading, { id }: IdOrNone, query: object): Promise<Row | null> => {
    if (id == null) return null
    const key = `${projectId} ${JSON.stringify(query)}`
    return join(groupsOf(world), key, { id, db }, (ids, on) => read({ world, db: on, projectId }, ids, query))
  }
}

/**
 * The same for rows of which a call may have so many bytes, such as bodies: what one call requests in a turn of the event loop is read in
 * one statement per project, and never with what others request, so that each has bounds of its own and takes room in its own answer.
 */
export function loaderPerCall<Row extends { id: string }>(read: (ctx: ReadingAlone, ids: string[]) => Promise<Row[]>) {
  const groupsOf = perWorld(() => new WeakMap<Ctx['answer'], Map<string, Group<Row>>>())
  return async (ctx: ReadingAlone, { id }: IdOrNone): Promise<Row | null> => {
    if (id == null) return null
    const calls = groupsOf(ctx.world)
    const groups = calls.get(ctx.answer) ?? new Map<string, Group<Row>>()
    calls.set(ctx.answer, groups)
    return join(groups, ctx.projectId, { id, db: ctx.db }, (ids, db) => read({ ...ctx, db }, ids))
  }
}

// Joins the group of a key, which is read once all of this turn of the event loop have joined it. What several calls wait for is read
// whether the first of them has left or not.
function join<Row extends { id: string }>(
  groups: Map<string, Group<Row>>,
  key: string,
  { id, db }: { id: string; db: Ctx['db'] },
  read: (ids: string[], db: Ctx['db']) => Promise<Row[]>,
): Promise<Row | null> {
  const group: Group<Row> = groups.get(key) ?? { waiting: new Map(), db }
  if (!groups.has(key)) {
    groups.set(key, group)
    setImmediate(() => {
      groups.delete(key)
      void settle(group.waiting, (ids) => read(ids, group.db))
    })
  }
  if (group.db !== db) group.db = group.db.lasting()
  const { waiting } = group
  const asked = waiting.get(id) ?? Promise.withResolvers<Row | null>()
  waiting.set(id, asked)
  return asked.promise
}

async function settle<Row extends { id: string }>(waiting: Waiting<Row>, read: (ids: string[]) => Promise<Row[]>): Promise<void> {
  try {
    const rows = new Map((await read([...waiting.keys()])).map((row) => [row.id, row]))
    for (const [id, { resolve }] of waiting) resolve(rows.get(id) ?? null)
  } catch (error) {
    for (const { reject } of waiting.values()) reject(error)
  }
}

const maxProjectsAtOnce = 100

/**
 * Reads rows of many projects at once: the calls of one turn of the event loop are one statement per 100 of them ($1 ids of projects,
 * then `more`), so that a relation of a list of projects costs one query. The rows name their project and are in order.
 */
export function rowsOfProjects<Row extends { projectId: string }>(reading: Statement<Row>, more: (now: Date) => unknown[] = () => []) {
  const loaderOf = perWorld(({ db, clock }) =>
    batch(
      async (ids: string[]) => {
        const rows = Map.groupBy(await db.run(reading, [[...new Set(ids)], ...more(clock.now())]), ({ projectId }) => projectId)
        return ids.map((id) => rows.get(id) ?? [])
      },
      maxProjectsAtOnce,
      readsBeside,
    ),
  )
  return ({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>): Promise<Row[]> => loaderOf(world)(projectId)
}

const maxProjects = 1_000

/**
 * Reads for many callers at once: what is asked for in a project is one statement, and while it runs the next ones are collected, so that
 * a caller alone waits for nobody; nor does anybody wait for a project, or a statement, that takes long.
 *
 * @param read returns one result per item, in order
 * @param max  items per statement at most
 */
export function readerOfProjects<In, Out>(
  read: (of: Pick<Ctx, 'world' | 'projectId'>, items: In[]) => Promise<Out[]>,
  max: number,
): (of: Pick<Ctx, 'world' | 'projectId'>, item: In) => Promise<Out> {
  const batchesOf = perWorld(() => recent<string, (item: In) => Promise<Out>>({ max: maxProjects }))
  return ({ world, projectId }, item) => {
    const find = batchesOf(world).getOrMake(projectId, () => batch((items: In[]) => read({ world, projectId }, items), max, readsBeside))
    return find(item)
  }
}

const maxRowsAtOnce = 20

/** Reads single rows of a project ($1) by their ids ($2) so; null for an id that does not exist. For rows of which 20 fit into memory. */
export function rowReader<Row extends { id: string }>(reading: Statement<Row>) {
  return readerOfProjects(async ({ world, projectId }, ids: string[]): Promise<(Row | null)[]> => {
    const rows = new Map((await world.db.run(reading, [projectId, [...new Set(ids)]])).map((row) => [row.id, row]))
    return ids.map((one) => rows.get(one) ?? null)
  }, maxRowsAtOnce)
}
