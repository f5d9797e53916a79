import type { Ctx } from '../../kit/context.ts'
import { statement } from '../../kit/postgres/db.ts'

/** Why an address may not be written to again. */
export type SuppressionReason = 'BOUNCE' | 'COMPLAINT'

/** Puts an address on the project's suppression list; the first reason stays, except that a complaint outweighs a bounce. */
export async function suppressAddress(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { email, reason, emailId }: { email: string; reason: SuppressionReason; emailId?: string | undefined },
): Promise<void> {
  await db.run(insertSuppression, [projectId, email, reason, emailId ?? null, clock.now()])
}

/** Which of these addresses the project may not write to, and why. */
export async function findSuppressed(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  emails: string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await db.run(selectSuppressed, [projectId, emails])
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}

// Prisma's upsert is two round trips and races with itself.
const insertSuppression = statement<object>(
  'suppressions_insert',
  `insert into suppressions as s (project_id, email, reason, email_id, created_at) values ($1, $2, $3::suppression_reason, $4, $5)
   on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
   where s.reason = 'BOUNCE' and excluded.reason = 'COMPLAINT'`,
)

const selectSuppressed = statement<{ email: string; reason: SuppressionReason }>(
  'suppressions_find',
  'select email, reason from suppressions where project_id = $1 and email = any($2::text[])',
)
