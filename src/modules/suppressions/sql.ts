import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/** Why an address may not be written to again. */
export type SuppressionReason = 'BOUNCE' | 'COMPLAINT'

/** Prisma's upsert is two round trips and races with itself. */
export const insertSuppression = statement<object>(
  'suppressions_insert',
  `insert into suppressions as s (project_id, email, reason, email_id, created_at) values ($1, $2, $3::suppression_reason, $4, $5)
   on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
   where s.reason = 'BOUNCE' and excluded.reason = 'COMPLAINT'`,
)

/** The reasons of those of some addresses that are on the list. */
export const selectSuppressed = statement<{ email: string; reason: SuppressionReason }>(
  'suppressions_find',
  'select email, reason from suppressions where project_id = $1 and email = any($2::text[])',
)

/** Removes one batch of a project's suppression list; answers how many, 0 when none is left. */
export const eraseSomeSuppressions = eraser('suppressions', 'email', 5_000)
