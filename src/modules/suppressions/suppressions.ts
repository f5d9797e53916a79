import type { Ctx } from '../../kit/context.ts'
import { insertSuppression, type SuppressionReason, selectSuppressed } from './sql.ts'

/** Puts an address on the project's suppression list; the first reason stays, except that a complaint replaces a bounce. */
export async function suppressAddress(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { email, reason, emailId }: { email: string; reason: SuppressionReason; emailId?: string | undefined },
): Promise<void> {
  await db.run(insertSuppression, [projectId, email, reason, emailId ?? null, clock.now()])
}

/** Those of the addresses that are on the project's suppression list, with the reason. */
export async function findSuppressed(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  emails: string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await db.run(selectSuppressed, [projectId, emails])
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}
