import { batch, readsBeside } from '../../../../kit/batch.ts'
import type { Ctx } from '../../../../kit/context.ts'
import { perWorld } from '../../../../kit/world.ts'
import { nameOfExit } from '../../steps/kinds.ts'
import { type StepOfGraph, selectGraphs } from './sql.ts'

interface Version {
  workflowId: string
  version: number
}

/** The steps of a version and what leads from one to another. */
export interface VersionGraph {
  steps: StepOfGraph[]
  /** Null where only the names and types of the steps are left. */
  transitions: { fromStepId: string; toStepId: string; branch: string | null; name: string }[] | null
}

const maxAtOnce = 500
const nameOf = ({ projectId, workflowId, version }: Version & { projectId: string }) => `${projectId} ${workflowId} ${version}`

// Many executions are on one version: it is read once.
const graphInBatch = perWorld(({ db }) =>
  batch(
    async (asked: (Version & { projectId: string })[]) => {
      const each = [...new Map(asked.map((one) => [nameOf(one), one])).values()]
      const values = [each.map((one) => one.projectId), each.map((one) => one.workflowId), each.map((one) => one.version)]
      const rows = await db.run(selectGraphs, values)
      const found = new Map(each.map((one, at) => [nameOf(one), graphOf(rows[at]?.steps ?? null)]))
      return asked.map((one) => found.get(nameOf(one)) ?? null)
    },
    maxAtOnce,
    readsBeside,
  ),
)

function graphOf(steps: StepOfGraph[] | null): VersionGraph | null {
  if (steps === null) return null
  if (steps.some(({ next }) => next === null)) return { steps, transitions: null }
  const transitions = steps.flatMap((step) =>
    (step.next ?? []).map(({ exit, stepId }) => ({
      fromStepId: step.id,
      toStepId: stepId,
      branch: exit || null,
      name: nameOfExit(step, exit),
    })),
  )
  return { steps, transitions }
}

/** The graph of the version that an execution is on; null when its workflow was deleted. Concurrent calls are one statement. */
export async function findGraphOfVersion(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { workflowId, version }: Version,
): Promise<VersionGraph | null> {
  return graphInBatch(world)({ projectId, workflowId, version })
}
