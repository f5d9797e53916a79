import { requireSameProject } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { rowsOfProjects } from '../../kit/load.ts'
import type { SetupState } from './shapes.ts'
import { readSetup } from './sql.ts'

const maxContactsCounted = 100_000
const setupOf = rowsOfProjects(readSetup, () => [maxContactsCounted])

/** Which steps of its setup a project has completed; contacts are counted up to 100,000. Fails with RESOURCE_NOT_FOUND. */
export async function getSetupState(ctx: Ctx, { id }: { id: string }): Promise<SetupState> {
  requireSameProject(ctx, id)
  const [found] = await setupOf(ctx)
  if (!found) throw notFound()
  const { projectId: _, ...state } = found
  return state
}
