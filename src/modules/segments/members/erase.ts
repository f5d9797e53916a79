import type { World } from '../../../kit/world.ts'
import { removeSomeMembers } from './sql.ts'

const perBatch = 5_000

/** Removes the members of a deleted segment in batches that each commit. Safe to run again. */
export async function eraseMembers(
  { db }: Pick<World, 'db'>,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<void> {
  const removeSome = async () => (await db.run(removeSomeMembers, [projectId, segmentId, perBatch]))[0]?.count ?? 0
  while ((await removeSome()) > 0);
}
