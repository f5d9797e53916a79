import type { Ctx } from '../../../kit/context.ts'
import type { World } from '../../../kit/world.ts'
import { forgetMember, removeSomeMembers } from './sql.ts'

const perBatch = 5_000

/** Removes the members of a deleted segment in batches that each commit. Safe to run again. */
export async function eraseMembers(
  { db }: Pick<World, 'db'>,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<void> {
  let removed = perBatch
  while (removed === perBatch) removed = (await db.run(removeSomeMembers, [projectId, segmentId, perBatch]))[0]?.count ?? 0
}

/** Removes a deleted contact from all segments, whose counts follow; it does not count as leaving them, so nothing is logged. */
export async function forgetContact(
  { db }: Pick<Ctx, 'db'>,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<void> {
  await db.run(forgetMember, [projectId, contactId])
}
