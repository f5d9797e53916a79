import { batch } from '../../../../kit/batch.ts'
import type { Ctx } from '../../../../kit/context.ts'
import { lowestId } from '../../../../kit/ids.ts'
import { type ConnectionArgs, type ListWindow, readConnection, type Slice } from '../../../../kit/paging.ts'
import { countOnce } from '../../../../kit/postgres/totals.ts'
import { perWorld } from '../../../../kit/world.ts'
import { findExecution, type StoredExecution } from '../relations.ts'
import type { ExecutionListFilter } from '../shapes.ts'
import { countPages, selectPages, selectPagesBackwards } from './sql.ts'

/**
 * The executions of a workflow as a connection, newest first; `query` says what to select of each node. Those of a list of workflows
 * are a statement for all of their ids and one for all of their nodes, and one for their totals.
 */
export async function connectExecutions(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { workflowId, statuses, contactId }: { workflowId: string } & ExecutionListFilter,
  args: ConnectionArgs,
  query: object,
) {
  const { world, projectId } = ctx
  // In one order, so that equal lists are counted once.
  const states = statuses && [...new Set(statuses)].sort().join(',')
  const of = { projectId, workflowId, states, contactId }
  return readConnection<StoredExecution>(
    {
      kind: 'execution',
      async read(window) {
        const ids = await idsInBatch(world)({ ...of, window })
        const rows = await Promise.all(ids.map((id) => findExecution(ctx, { id }, query)))
        return sliceOf(ids, rows)
      },
      count: () =>
        countOnce(world, {
          name: JSON.stringify(['executions', projectId, workflowId, states ?? null, contactId ?? null]),
          count: (upTo) => countInBatch(world)({ ...of, upTo }),
        }),
    },
    args,
  )
}

// Executions that were removed in between are left out.
function sliceOf(ids: string[], rows: (StoredExecution | null)[]): Slice<StoredExecution> {
  const remaining = rows.filter((row) => row !== null)
  return { rows: remaining, stoppedAt: remaining.length < ids.length ? ids.at(-1) : undefined }
}

interface Of {
  projectId: string
  workflowId: string
  /** Separated by commas; undefined for all. */
  states: string | undefined
  /** Undefined for all. */
  contactId: string | undefined
}

const maxAtOnce = 500
// Greater than every id of an execution.
const beyond = lowestId('execution', new Date(8_000_000_000_000_000))

const idsInBatch = perWorld(({ db }) =>
  batch(async (asked: (Of & { window: ListWindow })[]) => {
    const found: string[][] = asked.map(() => [])
    const places = asked.map((one, at) => ({ ...one, at }))
    for (const group of Map.groupBy(places, ({ projectId, window }) => `${projectId} ${window.orderBy.id}`).values()) {
      const column = <Value>(value: (one: (typeof places)[number]) => Value): Value[] => group.map(value)
      const [{ projectId, window }] = group as [(typeof places)[number]]
      const rows = await db.lists.run(window.orderBy.id === 'asc' ? selectPagesBackwards : selectPages, [
        projectId,
        column(({ workflowId }) => workflowId),
        column(({ states }) => states ?? null),
        column(({ contactId }) => contactId ?? null),
        column((one) => one.window.where.id?.gt ?? ''),
        column((one) => one.window.where.id?.lt ?? beyond),
        column((one) => one.window.take),
      ])
      for (const { ord, id } of rows) found[group[ord - 1]?.at ?? -1]?.push(id)
    }
    return found
  }, maxAtOnce),
)

const countInBatch = perWorld(({ db }) =>
  batch(async (asked: (Of & { upTo: number })[]) => {
    const counts = asked.map(() => 0)
    const places = asked.map((one, at) => ({ ...one, at }))
    for (const group of Map.groupBy(places, ({ projectId, upTo }) => `${projectId} ${upTo}`).values()) {
      const [{ projectId, upTo }] = group as [(typeof places)[number]]
      const column = <Value>(value: (one: Of) => Value): Value[] => group.map(value)
      const rows = await db.lists.run(countPages, [
        projectId,
        column(({ workflowId }) => workflowId),
        column(({ states }) => states ?? null),
        column(({ contactId }) => contactId ?? null),
        upTo,
      ])
      for (const [nth, { at }] of group.entries()) counts[at] = rows[nth]?.count ?? 0
    }
    return counts
  }, maxAtOnce),
)
