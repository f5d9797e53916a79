import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

/**
 * Stores the answers of a group of calls, as a CTE of the statement that does their work, so that both happen or neither.
 * The parameter is a JSON list of { project_id, key, fingerprint, ref, at }, one entry per call that has a key; `answers`
 * selects (ref, answer) of all calls of the statement. A key that has an answer already violates `idempotency_keys_pkey`,
 * which rolls the whole statement back. Rows are inserted in order, so that two groups cannot deadlock.
 */
export function storedAnswers(parameter: string, answers: string): string {
  return `keyed as (
    insert into idempotency_keys (project_id, key, fingerprint, answer, created_at)
    select k.project_id, k.key, k.fingerprint, a.answer, k.at
    from json_to_recordset(${parameter}::json) as k(project_id text, key text, fingerprint text, ref text, at timestamptz)
    join (${answers}) as a(ref, answer) on a.ref = k.ref order by k.project_id, k.key)`
}

/** The first answer of a key, found for the entry of the group with the number `ord`, from 1. */
export interface FoundAnswer {
  ord: number
  fingerprint: string
  answer: unknown
  at: Date
}

/**
 * The first answers for a group of keys ($1 projects, $2 keys, one entry per key). The limit makes each key a look-up in the
 * index: planned as a join while the table is small, it would read the whole table when it has grown.
 */
export const findAnswers = statement<FoundAnswer>(
  'idempotency_find_answers',
  `select k.ord::int as ord, i.fingerprint, i.answer, i.created_at as at
   from unnest($1::text[], $2::text[]) with ordinality as k(project_id, key, ord)
   cross join lateral (select * from idempotency_keys i where i.project_id = k.project_id and i.key = k.key limit 1) i`,
)

/** Deletes the answer of one key that is no longer replayed. */
export const dropAnswer = statement<object>(
  'idempotency_drop_answer',
  'delete from idempotency_keys where project_id = $1 and key = $2 and created_at <= $3',
)

/** Deletes answers that are no longer replayed. */
export const dropAnswers = statement<object>('idempotency_drop_answers', 'delete from idempotency_keys where created_at <= $1', {
  allProjects: 'keys of all projects expire after the same time',
})

/** Deletes one batch of a project's idempotency keys, whose answers name deleted data. Returns the number of rows, 0 when none is left. */
export const eraseSomeAnswers = eraser('idempotency_keys', 'key', 5_000)
