import type { Ctx } from '../../../../kit/context.ts'
import { lowestId } from '../../../../kit/ids.ts'
import { loader } from '../../../../kit/load.ts'
import { type ConnectionArgs, readConnection, type Slice } from '../../../../kit/paging.ts'
import { countOnce } from '../../../../kit/postgres/totals.ts'
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
  const of: Of = { workflowId, states, contactId }
  return readConnection<StoredExecution>(
    {
      kind: 'execution',
      async read(window) {
        const asked = textOf({ ...of, ...window.where.id, take: window.take })
        const ids = (await loadIds(ctx, asked, window.orderBy.id === 'asc' ? { isBackwards: true } : {}))?.ids ?? []
        const rows = await Promise.all(ids.map((id) => findExecution(ctx, { id }, query)))
        return sliceOf(ids, rows)
      },
      count: () =>
        countOnce(ctx, {
          name: JSON.stringify(['executions', projectId, workflowId, states ?? null, contactId ?? null]),
          count: async (on, upTo) => (await loadCount({ world, db: on, projectId }, textOf(of), { upTo }))?.count ?? 0,
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
  workflowId: string
  /** Separated by commas; undefined for all. */
  states: string | undefined
  /** Undefined for all. */
  contactId: string | undefined
}

// Greater than every id of an execution.
const beyond = lowestId('execution', new Date(8_000_000_000_000_000))

/** What is asked of the executions of a workflow, as the text that identifies it. */
type Asked = { id: string }
const textOf = (asked: object): Asked => ({ id: JSON.stringify(asked) })

// Those of a project that are asked for in one turn of the event loop are one statement, in the order of `query`.
const loadIds = loader<Asked & { ids: string[] }>(async ({ db, projectId }, texts, query) => {
  const asked = texts.map((text) => JSON.parse(text) as Of & { gt?: string; lt?: string; take: number })
  const column = <Value>(value: (one: (typeof asked)[number]) => Value): Value[] => asked.map(value)
  const rows = await db.lists.run('isBackwards' in query ? selectPagesBackwards : selectPages, [
    projectId,
    column(({ workflowId }) => workflowId),
    column(({ states }) => states ?? null),
    column(({ contactId }) => contactId ?? null),
    column(({ gt }) => gt ?? ''),
    column(({ lt }) => lt ?? beyond),
    column(({ take }) => take),
  ])
  const found = Map.groupBy(rows, ({ ord }) => ord)
  return texts.map((id, at) => ({ id, ids: (found.get(at + 1) ?? []).map((row) => row.id) }))
})

const loadCount = loader<Asked & { count: number }>(async ({ db, projectId }, texts, query) => {
  const asked = texts.map((text) => JSON.parse(text) as Of)
  const column = <Value>(value: (one: Of) => Value): Value[] => asked.map(value)
  const rows = await db.lists.run(countPages, [
    projectId,
    column(({ workflowId }) => workflowId),
    column(({ states }) => states ?? null),
    column(({ contactId }) => contactId ?? null),
    (query as { upTo: number }).upTo,
  ])
  return texts.map((id, at) => ({ id, count: rows[at]?.count ?? 0 }))
})
