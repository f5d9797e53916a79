import type { Executor } from '../../kit/postgres/db.ts'
import { deleteProjectRow, type Erasable, lockToErase, removeAccess, setErasing } from './sql.ts'

/** Locks a project against other resets until the transaction ends; null when it does not exist. */
export async function lockProjectToErase(tx: Executor, projectId: string): Promise<Erasable | null> {
  const [project] = await tx.run(lockToErase, [projectId])
  return project ?? null
}

/** Closes a project to every change while its data is removed. */
export async function closeProject(tx: Executor, { projectId, at }: { projectId: string; at: Date }): Promise<void> {
  await tx.run(setErasing, [projectId, at])
}

/** Opens a closed project to changes again. */
export async function openProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(setErasing, [projectId, null])
}

/** Makes a project inaccessible by removing its keys, members and invitations. */
export async function hideProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(removeAccess, [projectId])
}

/** Removes the row of a project whose data is removed. */
export async function dropProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(deleteProjectRow, [projectId])
}
