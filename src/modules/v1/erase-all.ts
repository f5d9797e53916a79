import { type Executor, statement } from '../../kit/db.ts'

const answersAtOnce = 5_000

const removeAnswers = statement<{ count: number }>(
  'v1_remove_some_answers',
  `with gone as (
     delete from idempotency_keys where project_id = $1 and key in
       (select key from idempotency_keys where project_id = $1 order by key limit $2) returning key)
   select count(*)::int as count from gone`,
)

/** Forgets one batch of a project's idempotency keys, whose answers name what is gone; answers how many. */
export async function eraseSomeAnswers(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeAnswers, [projectId, answersAtOnce]))[0]?.count ?? 0
}
