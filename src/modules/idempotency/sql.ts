import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/** Locks the key for this transaction; false while another call with the same key is running. */
export const lockKey = statement<{ locked: boolean }>(
  'idempotency_lock_key',
  `select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 7)) as locked /* $1 is the project_id */`,
)

/** The first answer for a key. It is a statement of its own, so that its snapshot is taken after the lock. */
export const findAnswer = statement<{ fingerprint: string; answer: unknown }>(
  'idempotency_find_answer',
  'select fingerprint, answer from idempotency_keys where project_id = $1 and key = $2 and created_at > $3',
)

/** Stores the first answer, in the transaction of the work. */
export const storeAnswer = statement<object>(
  'idempotency_keep_answer',
  `insert into idempotency_keys (project_id, key, fingerprint, answer, created_at) values ($1, $2, $3, $4::jsonb, $5)
   on conflict (project_id, key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
)

/** Deletes answers that are no longer replayed. */
export const dropAnswers = statement<object>('idempotency_drop_answers', 'delete from idempotency_keys where created_at <= $1', {
  allProjects: 'keys of all projects expire after the same time',
})

/** Deletes one batch of a project's idempotency keys, whose answers name deleted data. Returns the number of rows, 0 when none is left. */
export const eraseSomeAnswers = eraser('idempotency_keys', 'key', 5_000)
