import type { Executor } from '../../kit/postgres/db.ts'
import { close, drop, type Erasable, hide, hold } from './sql.ts'

/** Keeps other resets of a project waiting until the transaction ends; null when there is no such project. */
export async function holdToErase(tx: Executor, projectId: string): Promise<Erasable | null> {
  const [project] = await tx.run(hold, [projectId])
  return project ?? null
}

/** Closes a project to every change while its data is removed. */
export async function closeProject(tx: Executor, { projectId, at }: { projectId: string; at: Date }): Promise<void> {
  await tx.run(close, [projectId, at])
}

/** Opens a project again. */
export async function openProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(close, [projectId, null])
}

/** Takes a project out of everybody's sight: its keys, members and invitations are gone. */
export async function hideProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(hide, [projectId])
}

/** Removes the row of a project whose data is gone. */
export async function dropProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(drop, [projectId])
}
