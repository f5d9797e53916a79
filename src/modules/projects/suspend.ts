import type { Executor } from '../../kit/postgres/db.ts'
import { lockToSuspend, setDisabled } from './sql.ts'

/** Keeps other suspensions of a project waiting until the transaction ends; null when there is no such project. */
export async function holdProject(tx: Executor, projectId: string): Promise<{ disabled: boolean; reason: string | null } | null> {
  const [row] = await tx.run(lockToSuspend, [projectId])
  return row ?? null
}

/** Disables a project for a reason, or enables it again with null: what it may do is decided by this on every call. */
export async function setDisabledReason(
  tx: Executor,
  { projectId, reason, at }: { projectId: string; reason: string | null; at: Date },
): Promise<void> {
  await tx.run(setDisabled, [projectId, reason, at])
}
