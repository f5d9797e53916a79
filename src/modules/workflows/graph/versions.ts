import type { World } from '../../../kit/world.ts'
import { selectOldVersions, stripVersions, type VersionRow } from './sql.ts'

const perBatch = 200

/**
 * Leaves of old versions on which no execution is any more only the names and types of their steps, which is what ended executions show:
 * those of the newest 20 of a workflow stay whole. In batches that each commit; safe to run again.
 */
export async function stripOldVersions({ db, closing }: Pick<World, 'db' | 'closing'>): Promise<false> {
  let after: VersionRow | undefined = { projectId: '', workflowId: '', version: 0 }
  while (after && !closing.aborted) {
    const old: VersionRow[] = await db.run(selectOldVersions, [after.projectId, after.workflowId, after.version, perBatch])
    const column = <Key extends keyof VersionRow>(name: Key) => old.map((one) => one[name])
    if (old.length > 0) await db.run(stripVersions, [column('projectId'), column('workflowId'), column('version')])
    after = old.length === perBatch ? old.at(-1) : undefined
  }
  return false
}
