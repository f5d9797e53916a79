import { bodyLoader } from '../../../../kit/bodies.ts'
import { JsonText } from '../../../../kit/json-text.ts'
import type { ReadingAlone } from '../../../../kit/load.ts'
import { createShare } from '../../../../kit/share.ts'
import { perWorld, type World } from '../../../../kit/world.ts'
import { selectContext, selectContexts, selectLongContext } from './sql.ts'

const busy = 'Other long data of executions is being read at the moment.'
const turnsOf = perWorld(() => createShare({ max: 2, maxPerOwner: 1, busy, maxWaitMs: null }))

/** What an execution was started with; empty for nothing. Long data keeps the thread busy, and is read of a project one at a time. */
export async function readContext(world: World, { projectId, id }: { projectId: string; id: string }): Promise<Record<string, unknown>> {
  const [row] = await world.db.run(selectContext, [projectId, id])
  const context = row?.isLong ? await turnsOf(world)(projectId, () => readLong(world, { projectId, id })) : row?.context
  return typeof context === 'object' && context !== null ? (context as Record<string, unknown>) : {}
}

async function readLong({ db }: World, { projectId, id }: { projectId: string; id: string }): Promise<unknown> {
  return (await db.run(selectLongContext, [projectId, id]))[0]?.context
}

const loadContext = bodyLoader({ select: selectContexts })

/**
 * What an execution was started with, or null: of those that a call asks for at once only the first one and 4 MB are read. Fails with
 * PAYLOAD_TOO_LARGE for the others.
 */
export async function findExecutionContext(ctx: ReadingAlone, { id }: { id: string }): Promise<unknown> {
  const json = await loadContext(ctx, { id })
  return json === null ? null : new JsonText(json)
}
