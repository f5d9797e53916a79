import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/** Why no more emails are sent to an address. */
export type SuppressionReason = 'BOUNCE' | 'COMPLAINT'

/** Suppresses an address; a complaint replaces a bounce. Hand-written: Prisma's upsert takes two round trips and can conflict with itself. */
export const insertSuppression = statement<object>(
  'suppressions_insert_suppression',
  `insert into suppressions as s (project_id, email, reason, email_id, created_at) values ($1, $2, $3::suppression_reason, $4, $5)
   on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
   where s.reason = 'BOUNCE' and excluded.reason = 'COMPLAINT'`,
)

/** Those of some addresses ($2) that are on the list of a project ($1), with their reasons. */
export const selectSuppressed = statement<{ email: string; reason: SuppressionReason }>(
  'suppressions_select_suppressed',
  'select email, reason from suppressions where project_id = $1 and email = any($2::text[])',
)

/** Removes one batch of a project's suppression list; returns how many, 0 when none is left. */
export const eraseSomeSuppressions = eraser('suppressions', 'email', 5_000)

/** Removes one batch of the opt-outs of a project's deleted contacts; returns how many, 0 when none is left. */
export const eraseSomeOptOuts = eraser('opt_outs', 'hash', 5_000)
