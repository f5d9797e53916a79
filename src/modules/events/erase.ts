import { newId } from '../../kit/ids.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { endErasure, findErasure, noteErasure, removeOfContact, removeOfName } from './sql.ts'

const linesAtOnce = 2_000

/** Takes a contact's lines out of all reads in the caller's transaction; answers the erasure that will remove them. */
export async function hideContactEvents(
  tx: Executor,
  at: Date,
  { projectId, contactId }: { projectId: string; contactId: string },
): Promise<string> {
  const erasureId = newId('erasure', at)
  await tx.run(noteErasure, [projectId, erasureId, contactId, null, null, at])
  return erasureId
}

/** Removes the lines an erasure names, in batches that each commit, and ends it. Safe to run again after a crash. */
export async function eraseEvents(
  { db }: Pick<World, 'db'>,
  { projectId, erasureId }: { projectId: string; erasureId: string },
): Promise<void> {
  const [erasure] = await db.run(findErasure, [projectId, erasureId])
  if (!erasure) return
  const { contactId, name, before } = erasure
  while (await removeSome(db, projectId, contactId, name, before));
  await db.run(endErasure, [projectId, erasureId])
}

async function removeSome(
  db: Executor,
  projectId: string,
  contactId: string | null,
  name: string | null,
  before: string | null,
): Promise<boolean> {
  const [removed] = contactId
    ? await db.run(removeOfContact, [projectId, contactId, linesAtOnce])
    : await db.run(removeOfName, [projectId, name, before, linesAtOnce])
  return removed?.count === linesAtOnce
}
