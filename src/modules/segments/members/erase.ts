import type { World } from '../../../kit/world.ts'
import { eraseMembersOf } from './sql.ts'

/** Removes the members of a deleted segment in batches that each commit. Safe to run again. */
export async function eraseMembers(
  { db }: Pick<World, 'db'>,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<void> {
  while ((await eraseMembersOf(db, projectId, segmentId)) > 0);
}
