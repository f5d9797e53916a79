import type { Executor } from '../../kit/postgres/db.ts'
import { lockToSuspend, setDisabled } from './sql.ts'

/** Locks a project against other suspensions until the transaction ends; null when it does not exist. */
export async function lockProjectToSuspend(tx: Executor, projectId: string): Promise<{ disabled: boolean; reason: string | null } | null> {
  const [row] = await tx.run(lockToSuspend, [projectId])
  return row ?? null
}

/** Disables a project for a reason, or enables it again with null; every call checks this. */
export async function setDisabledReason(
  tx: Executor,
  { projectId, reason, at }: { projectId: string; reason: string | null; at: Date },
): Promise<void> {
  await tx.run(setDisabled, [projectId, reason, at])
}
